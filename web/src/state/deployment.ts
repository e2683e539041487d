/** The deployment which every visit to the playground opens again. Invariant: a name is all there is, for who begins before the page. */
export const playgroundDeployment = "playground";
