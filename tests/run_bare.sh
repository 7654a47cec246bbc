#!/bin/sh
# What a newcomer sees: make demo, make test, in a clone on a Debian with Python, git, make and nothing else.
#
#   tests/run_bare.sh [--docker] [--bubblewrap] [--namespaces] TARGET...
#
# --docker gives the container the engine's socket, --bubblewrap installs Debian's bubblewrap, and --namespaces lets
# it make those, which a container may not by itself. The container is removed at the end; images that were built in
# the engine stay. REGREEN_BARE_BASE names another Debian image than debian:bookworm-slim, REGREEN_TEST_IMAGE and
# REGREEN_BASE_IMAGE (with REGREEN_SANDBOX=docker) what the containers of the tests and of the demo are made of.
set -eu
base=${REGREEN_BARE_BASE:-debian:bookworm-slim}
packages="python3 python3-venv git make ca-certificates"
options=""
while :; do
    case ${1:-} in
    --docker) options="$options -v /var/run/docker.sock:/var/run/docker.sock -e REGREEN_TEST_IMAGE -e REGREEN_BASE_IMAGE -e REGREEN_SANDBOX" ;;
    --bubblewrap) packages="$packages bubblewrap" ;;
    --namespaces)
        options="$options --security-opt seccomp=unconfined --security-opt systempaths=unconfined" ;;
    *) break ;;
    esac
    shift
done
[ $# -gt 0 ] || { echo "usage: $0 [--docker] [--bubblewrap] [--namespaces] TARGET..." >&2; exit 2; }

origin=$(git -C "$(dirname "$0")" rev-parse --show-toplevel)
image="regreen-bare:$(echo "$base $packages" | cksum | cut -d' ' -f1)"
docker image inspect "$image" >/dev/null 2>&1 || docker build --network host -t "$image" - >&2 <<EOF
FROM $base
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends $packages \
 && { apt-get purge -y -qq --autoremove python3-pip || true; }
EOF

# shellcheck disable=SC2016 - for the shell in the container
script='
git clone --quiet --no-hardlinks /origin regreen && cd regreen && git log -1 --format="%h %s" && uname -srm
for target; do
    started=$(date +%s)
    status=0; make "$target" || status=$?
    echo "make $target: exit status $status after $(($(date +%s) - started)) s; processor time of all processes:"
    times
done
exit $status'
# shellcheck disable=SC2086 - the options are several words
exec docker run --rm --network host -v "$origin:/origin:ro" -w /root $options "$image" sh -c "$script" bare "$@"
