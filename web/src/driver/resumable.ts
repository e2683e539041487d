/** The errors after which the drivers' specification has a change stream opened anew, behind its last event. */
export const RESUMABLE: readonly number[] = [
  6, 7, 43, 63, 89, 91, 133, 150, 189, 234, 262, 9001, 10107, 11600, 11602, 13388, 13435, 13436,
];
