//! What stands between client and server, and cuts replies: the server itself only cuts streams.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};

pub(crate) struct Cutter {
    pub(crate) url: String,
}

impl Cutter {
    /// Passes connections on to the server at `url`. Of each of the first `cuts`, it passes on what the client asks, and
    /// half of the reply's body.
    pub(crate) async fn start(url: &str, cuts: usize) -> Self {
        let server = url.strip_prefix("http://").expect("an address").to_owned();
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port on loopback");
        let address = listener.local_addr().expect("a bound socket has an address");
        let left = Arc::new(AtomicUsize::new(cuts));
        tokio::spawn(async move {
            while let Ok((mut client, _)) = listener.accept().await {
                let (server, left) = (server.clone(), left.clone());
                tokio::spawn(async move {
                    let mut server = TcpStream::connect(server).await?;
                    let cut = left.try_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok();
                    if cut {
                        pass_half(&mut client, &mut server).await
                    } else {
                        copy_bidirectional(&mut client, &mut server).await.map(drop)
                    }
                });
            }
        });
        Self { url: format!("http://{address}") }
    }
}

async fn pass_half(client: &mut TcpStream, server: &mut TcpStream) -> io::Result<()> {
    let mut reply = Vec::new();
    let (mut asked, mut said) = ([0; 4096], [0; 4096]);
    let body = loop {
        let (asked, said) = tokio::select! {
            read = client.read(&mut asked) => (&asked[..read?], &said[..0]),
            read = server.read(&mut said) => (&asked[..0], &said[..read?]),
        };
        if asked.is_empty() && said.is_empty() {
            return Ok(());
        }
        server.write_all(asked).await?;
        reply.extend_from_slice(said);
        let head = reply.windows(4).position(|bytes| bytes == b"\r\n\r\n");
        if let Some(body) = head.map(|head| head + 4).filter(|body| reply.len() > *body) {
            break body;
        }
    };
    client.write_all(&reply[..usize::midpoint(body, reply.len())]).await?;
    client.shutdown().await
}
