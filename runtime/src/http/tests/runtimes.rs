//! The client that models share, from one runtime and another.

use std::sync::Barrier;
use std::thread;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::*;

fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().expect("a runtime")
}

/// A server that keeps connections, and tells of each; it begins its replies at once, and ends them a while later.
async fn keeping_server() -> (String, UnboundedReceiver<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback is there");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let (told, connections) = unbounded_channel();
    tokio::spawn(accept(listener, told));
    (url, connections)
}

async fn accept(listener: TcpListener, told: UnboundedSender<()>) {
    while let Ok((socket, _)) = listener.accept().await {
        let _ = told.send(());
        tokio::spawn(answer_slowly(socket));
    }
}

async fn answer_slowly(mut socket: TcpStream) {
    while socket.read(&mut [0; 4096]).await.is_ok_and(|read| read > 0) {
        let _ = socket.write_all(b"HTTP/1.1 200 X\r\ncontent-length: 2\r\n\r\n{").await;
        tokio::time::sleep(Duration::from_millis(50)).await;
        let _ = socket.write_all(b"}").await;
    }
}

async fn ask(url: &str) {
    let client = Client::new().expect("a client");
    let reply = client.send(Asking::at(url).request(&once())).await;
    assert_eq!(reply.expect("a reply, without a second attempt").body, b"{}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_outlives_the_runtime_that_opened_it() {
    let (url, mut connections) = keeping_server().await;
    let asking = move || (0..3).for_each(|_| runtime().block_on(ask(&url)));
    tokio::task::spawn_blocking(asking).await.expect("three replies");
    assert_eq!(connections.len(), 1);
    assert!(connections.recv().await.is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn runtimes_that_end_do_not_break_the_requests_of_others() {
    let (url, _connections) = keeping_server().await;
    let start = Barrier::new(4);
    tokio::task::block_in_place(|| {
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    start.wait();
                    for _ in 0..8 {
                        runtime().block_on(ask(&url));
                    }
                });
            }
        });
    });
}
