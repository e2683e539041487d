//! The version, name and limits that this build tells drivers.

use crate::env::Env;

/// The server version whose behaviour is the target.
pub const SERVER_VERSION: &str = "8.2.0";

/// `SERVER_VERSION` as the four numbers of `versionArray`.
pub const SERVER_VERSION_ARRAY: [i32; 4] = [8, 2, 0, 0];

/// The port that is not told where a server names its host alone.
const USUAL_PORT: i32 = 27_017;

/// The host and the port under which the server names itself.
pub fn host_and_port(env: &dyn Env) -> (String, i32) {
    let mut name = env.server_name();
    match name
        .rsplit_once(':')
        .and_then(|(host, port)| Some((host.len(), port.parse().ok()?)))
    {
        Some((length, port)) => {
            name.truncate(length);
            (name, port)
        }
        None => (name, USUAL_PORT),
    }
}

/// The name in `serverStatus` and its like: the host, and a port that is not the usual one.
pub fn short_name(env: &dyn Env) -> String {
    match host_and_port(env) {
        (host, USUAL_PORT) => host,
        _ => env.server_name(),
    }
}

/// The newest wire version: MongoDB 8.2's.
pub const MAX_WIRE_VERSION: i32 = 27;

/// The largest number of operations one write command may carry.
pub const MAX_WRITE_BATCH_SIZE: i32 = 100_000;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::NoEnv;

    struct Named {
        name: &'static str,
        none: NoEnv,
    }

    impl Env for Named {
        crate::env::hand_on!(none: now_millis, monotonic_millis, fill_random, zone_offset_seconds, call_function);

        fn server_name(&self) -> String {
            self.name.to_owned()
        }
    }

    #[test]
    fn a_port_that_is_not_the_usual_one_is_told_with_the_host() {
        let told = |name| {
            let env = Named { name, none: NoEnv };
            let (host, port) = host_and_port(&env);
            (host, port, short_name(&env))
        };
        let named = |host: &str, port, short: &str| (host.to_owned(), port, short.to_owned());
        assert_eq!(told("quire:27017"), named("quire", 27_017, "quire"));
        assert_eq!(told("a.b:40000"), named("a.b", 40_000, "a.b:40000"));
        assert_eq!(told("[::1]:9"), named("[::1]", 9, "[::1]:9"));
        assert_eq!(told("nowhere"), named("nowhere", 27_017, "nowhere"));
        assert_eq!(told(NoEnv.server_name().leak()).2, "quire");
    }
}
