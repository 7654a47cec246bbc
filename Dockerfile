# The Action's image: Regreen and what requirements.lock pins, in an environment of its own.
#
# GitHub runs it as root, so there is no USER, and mounts the workspace over the working directory, so there is no
# WORKDIR. The project's code never runs in here: it runs in containers beside this one, made through the engine.
# python:3.13-slim (3.13.14), by the digest of its index.
ARG BASE_IMAGE=python@sha256:9662417aace5ae7b8e2609cce472b72a8958e134ba372808abe9cc1a0c0125e6

FROM ${BASE_IMAGE} AS libraries
COPY requirements.lock /src/
# pip stays outside of the environment, and so does uv's program: it serves bubblewrap, which is not in here.
# One kind of bytecode for all, without the times of files, so that the same sources give the same files.
RUN python3 -m venv --without-pip /opt/regreen \
    && python3 -m pip --python /opt/regreen/bin/python install --quiet --no-cache-dir --no-compile \
        --disable-pip-version-check --require-hashes --only-binary :all: -r /src/requirements.lock \
    && rm -f /opt/regreen/bin/uv /opt/regreen/bin/uvx \
    && SITE="$(/opt/regreen/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')" \
    && echo /opt/regreen/code > "$SITE/regreen.pth" \
    && /opt/regreen/bin/python -m compileall -q --invalidation-mode unchecked-hash "$SITE"

# Copied, not built: the code needs no build, and a build would need its tools. It is apart from the libraries, so that
# a new release is a small layer.
FROM ${BASE_IMAGE} AS code
COPY bot /opt/regreen/code/bot
COPY sandbox /opt/regreen/code/sandbox
RUN python3 -m compileall -q --invalidation-mode unchecked-hash /opt/regreen/code

FROM ${BASE_IMAGE}
COPY --from=libraries /opt/regreen /opt/regreen
COPY --from=code /opt/regreen/code /opt/regreen/code
# Isolated: the working directory is the workspace, and nothing that lies there may be imported.
ENTRYPOINT ["/opt/regreen/bin/python", "-I", "-m", "bot.action"]
