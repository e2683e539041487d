//! A static file server for localhost, on the standard library alone.
//!
//! Invariant: serves files below its folder only, to GET and HEAD only, and listens on the loopback
//! interface only.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::thread;
use std::time::Duration;

/// The port when none is given and it is free.
const USUAL_PORT: u16 = 4747;

/// Opens the port that was asked for, or the usual one, or any free one.
pub fn listen(port: Option<u16>) -> Result<TcpListener, String> {
    let open = |port| TcpListener::bind((Ipv4Addr::LOCALHOST, port));
    match port {
        Some(port) => open(port).map_err(|error| format!("port {port}: {error}")),
        None => open(USUAL_PORT)
            .or_else(|_| open(0))
            .map_err(|error| error.to_string()),
    }
}

/// Serves a folder for ever, each connection in its own thread.
pub fn serve(listener: &TcpListener, folder: &Path) {
    for stream in listener.incoming().flatten() {
        let folder = folder.to_path_buf();
        // A visitor who goes away in the middle is no news.
        thread::spawn(move || drop(answer(&stream, &folder)));
    }
}

fn answer(stream: &TcpStream, folder: &Path) -> std::io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(30)))?;
    let mut reader = BufReader::new(stream);
    loop {
        let mut request = String::new();
        if reader.read_line(&mut request)? == 0 {
            return Ok(());
        }
        let mut close = false;
        loop {
            let mut header = String::new();
            if reader.read_line(&mut header)? == 0 || header.trim().is_empty() {
                break;
            }
            close |= header.trim().eq_ignore_ascii_case("connection: close");
        }
        respond(stream, folder, &request)?;
        if close {
            return Ok(());
        }
    }
}

fn respond(mut stream: &TcpStream, folder: &Path, request: &str) -> std::io::Result<()> {
    let mut words = request.split_whitespace();
    let (method, target) = (
        words.next().unwrap_or_default(),
        words.next().unwrap_or_default(),
    );
    let (status, kind, body) = match method {
        "GET" | "HEAD" => {
            match locate(folder, target).and_then(|file| Some((fs::read(&file).ok()?, file))) {
                Some((body, file)) => ("200 OK", content_type(&file), body),
                None => (
                    "404 Not Found",
                    "text/plain; charset=utf-8",
                    b"There is nothing here.\n".to_vec(),
                ),
            }
        }
        _ => (
            "405 Method Not Allowed",
            "text/plain; charset=utf-8",
            b"Only GET and HEAD.\n".to_vec(),
        ),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nCache-Control: no-cache\r\n\
         X-Content-Type-Options: nosniff\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes())?;
    if method != "HEAD" {
        stream.write_all(&body)?;
    }
    stream.flush()
}

/// The file a request's target stands for; a folder stands for its index.html.
fn locate(folder: &Path, target: &str) -> Option<PathBuf> {
    let path = target.split(['?', '#']).next()?;
    let decoded = decode(path)?;
    let relative = Path::new(decoded.trim_start_matches('/'));
    if !relative
        .components()
        .all(|part| matches!(part, Component::Normal(_)))
    {
        return None;
    }
    let file = folder.join(relative);
    if file.is_dir() {
        Some(file.join("index.html"))
    } else {
        Some(file)
    }
}

/// Undoes percent encoding; `None` for what is not valid.
fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digit = |byte: u8| {
                    char::from(byte)
                        .to_digit(16)
                        .and_then(|digit| u8::try_from(digit).ok())
                };
                digit(rest.next()?)? * 16 + digit(rest.next()?)?
            }
            other => other,
        });
    }
    String::from_utf8(bytes).ok()
}

fn content_type(file: &Path) -> &'static str {
    match file
        .extension()
        .and_then(|extension| extension.to_str())
        .unwrap_or_default()
    {
        "css" => "text/css; charset=utf-8",
        "html" => "text/html; charset=utf-8",
        "ico" => "image/x-icon",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "json" | "map" => "application/json",
        "md" | "txt" => "text/plain; charset=utf-8",
        "png" => "image/png",
        "svg" => "image/svg+xml",
        "wasm" => "application/wasm",
        "webmanifest" => "application/manifest+json",
        "woff2" => "font/woff2",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn nothing_above_the_folder_is_served() {
        let folder = Path::new("site");
        for target in [
            "/../secret",
            "/%2e%2e/secret",
            "/a/../../secret",
            "//../x",
            "/%zz",
        ] {
            assert_eq!(locate(folder, target), None, "{target}");
        }
        assert_eq!(
            locate(folder, "/a%20b.js?x=1"),
            Some(PathBuf::from("site/a b.js"))
        );
    }

    #[test]
    fn a_file_and_a_missing_file() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf();
        let listener = listen(Some(0)).expect("any port is free");
        let address = listener.local_addr().expect("it is bound");
        thread::spawn(move || serve(&listener, &folder));
        let ask = |target: &str| {
            let mut stream = TcpStream::connect(address).expect("the server listens");
            write!(stream, "GET {target} HTTP/1.1\r\nConnection: close\r\n\r\n").expect("it reads");
            let mut text = String::new();
            stream.read_to_string(&mut text).expect("it answers");
            text
        };
        assert!(ask("/Cargo.toml").contains("name = \"xtask\""));
        assert!(ask("/nothing").starts_with("HTTP/1.1 404"));
    }
}
