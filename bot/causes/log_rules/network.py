"""Rules about servers: names that do not resolve, connections that break, services that do not answer."""

from bot.causes.log_rules.table import Topic, kept, rule

RULES = (
    rule(
        "infrastructure/network",
        0.85,
        why="a host's name could not be resolved",
        example="fatal: unable to access 'https://git.example/a/b/': Could not resolve host: git.example",
        patterns=(
            kept(Topic.NETWORK, "Could not resolve ", means=r"Could not resolve host"),
            kept(
                Topic.NETWORK,
                "Temporary failure ",
                r"Temporary failure (?:in name resolution|resolving)",
                means=r"Temporary failure in name resolution",
            ),
            kept(Topic.NETWORK, "Name or service not known"),
            kept(Topic.NETWORK, "ENOTFOUND", means=r"getaddrinfo (?:failed|ENOTFOUND|EAI_AGAIN)"),
            r"Temporary failure resolving",
            kept(Topic.NETWORK, "EAI_AGAIN"),
            r"nodename nor servname provided",
        ),
    ),
    rule(
        "infrastructure/network",
        0.8,
        why="a connection broke",
        example="error: RPC failed; curl 56 GnuTLS recv error (-9): Error decoding the received TLS packet.",
        patterns=(
            r"fatal: unable to access 'https?:(?!.*returned error: 4)",
            kept(Topic.NETWORK, "RPC failed", means=r"RPC failed; (?:curl|HTTP)"),
            r"gnutls_handshake\(\) failed",
            r"fetch-pack: unexpected disconnect",
            kept(Topic.NETWORK, "Connection reset by peer", means=r"[Cc]onnection reset by peer"),
            kept(Topic.NETWORK, "ECONNRESET"),
            kept(Topic.NETWORK, "ETIMEDOUT"),
            kept(Topic.NETWORK, "Network is unreachable", means=r"[Nn]etwork is unreachable"),
            kept(Topic.NETWORK, "TLS handshake timeout"),
            r"The remote end hung up unexpectedly",
            r"net/http: request canceled",
            kept(Topic.NETWORK, "RemoteDisconnected"),
        ),
    ),
    rule(
        "infrastructure/network",
        0.8,
        why="a server answered with an error of its own",
        example="E: Failed to fetch http://archive.example/pool/main/x.deb  503  Service Unavailable",
        patterns=(
            r"\b(?:HTTP(?: error)?|[Ss]tatus(?: code)?|returned error|Server Error)[: ]+5\d\d\b",
            kept(
                Topic.NETWORK,
                "Gateway Time",
                r"Gateway Time-?out",
                means=r"\b50[234] +(?:Bad Gateway|Service (?:Temporarily )?Unavailable|Gateway Time-?out)",
            ),
            r"\b5\d\d Server Error: ",
        ),
    ),
    rule(
        "infrastructure/rate_limit",
        0.85,
        why="a service refused because it was asked too often",
        example="toomanyrequests: You have reached your pull rate limit.",
        patterns=(
            kept(Topic.NETWORK, "toomanyrequests: ", means=r"toomanyrequests"),
            r"pull rate limit",
            r"API rate limit exceeded",
            kept(Topic.NETWORK, "Too Many Requests", means=r"429 (?:Client Error|Too Many Requests)"),
            r"secondary rate limit",
            r"status code 429",
            r"HTTP error 429",
            r"over its data quota",
        ),
    ),
    rule(
        "infrastructure/service",
        0.7,
        why="a service that should run beside the tests did not answer",
        example='connection to server at "localhost" (127.0.0.1), port 5432 failed: Connection refused',
        patterns=(
            # Each part is short, since a line may name the place a hundred times.
            r"[Cc]onnection .{0,90}?(?:localhost|127\.0\.0\.1|::1).{0,80}?refused",
            r"(?:localhost|127\.0\.0\.1|::1).{0,120}?[Cc]onnection refused",
            r"ECONNREFUSED (?:127\.0\.0\.1|::1)",
            r"could not connect to server: Connection refused",
            r"Can't connect to (?:local )?MySQL server",
            r"Error 111 connecting to",
        ),
    ),
    rule(
        "infrastructure/service",
        0.75,
        why="a container or the engine that runs it failed",
        example=(
            "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon "
            "running?"
        ),
        patterns=(
            kept(Topic.RUNNER, "Cannot connect to the Docker daemon"),
            r"service .{1,60} (?:is )?unhealthy",
            r"Failed to initialize container",
            r"One or more containers failed to start",
            kept(Topic.RUNNER, "Error response from daemon", means=r"Error response from daemon:"),
            r"dependency failed to start: ",
            r"container \S+ is unhealthy",
            r"wait-for-it.*: timeout occurred",
        ),
    ),
    rule(
        "infrastructure/network",
        0.7,
        why="a server did not answer",
        example="ReadTimeoutError: HTTPSConnectionPool(host='files.example', port=443): Read timed out.",
        patterns=(
            kept(Topic.NETWORK, "Connection timed out", means=r"[Cc]onnection timed out"),
            kept(Topic.NETWORK, "Read timed out"),
            kept(Topic.NETWORK, "ReadTimeout", means=r"ReadTimeout(?:Error)?\b"),
            kept(Topic.NETWORK, "ConnectTimeout", means=r"ConnectTimeout(?:Error)?\b"),
            kept(
                Topic.NETWORK,
                "Max retries exceeded with url",
                means=r"Max retries exceeded with url: (?!.*(?:localhost|127\.0\.0\.1))",
            ),
            r"Failed to (?:connect to|fetch) (?!.*(?:localhost|127\.0\.0\.1))\S+",
            kept(Topic.NETWORK, "NewConnectionError"),
            r"[Cc]ould not connect to (?!.*(?:localhost|127\.0\.0\.1))\S+",
            kept(Topic.NETWORK, "Hash Sum mismatch"),
            r"ProxyError",
        ),
    ),
)
