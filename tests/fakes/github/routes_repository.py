"""Repositories, users, collaborators, branches, contents, tarballs."""

import gzip
import io
import tarfile

from fakes.github import documents
from fakes.github.merges import merge_sha
from fakes.github.model import Repository
from fakes.github.objects import EXECUTABLE, LINK, SUBMODULE
from fakes.github.routing import Answer, Context, Refused, route

REPO = "/repos/{owner}/{repo}"
_OLD_NAMES = {"maintain": "write", "triage": "read"}


@route("GET", REPO, "metadata=read")
def get_repository(ctx: Context) -> Answer:
    return Answer(json=documents.repository(ctx.base, ctx.repository, full=True))


@route("GET", "/user")
def get_user(ctx: Context) -> Answer:
    if ctx.token is None:
        raise Refused(401, "Requires authentication")
    if ctx.token.permissions is not None:
        raise Refused(403, "Resource not accessible by integration")
    document = {**documents.UNREAD["whole user"], **documents.user(ctx.base, ctx.token.user)}
    return Answer(json=document)


@route("POST", "/graphql")
@route("POST", "/api/graphql")
def graphql(ctx: Context) -> Answer:
    """The one question that apps can ask nowhere else: who they are."""
    if ctx.token is None:
        raise Refused(401, "Requires authentication")
    if "viewer" not in ctx.text("query"):
        raise Refused(400, "The stand-in knows only the viewer")
    return Answer(json={"data": {"viewer": {"login": ctx.token.user.login}}})


@route("GET", REPO + "/collaborators/{user}/permission", "metadata=read")
def get_permission(ctx: Context) -> Answer:
    who = next(
        (one for one in ctx.world.users.values() if one.login.lower() == ctx.params["user"].lower()), None
    )
    if who is None:
        raise Refused(404, f"{ctx.params['user']} is not a user")
    repository = ctx.repository
    role = repository.roles.get(who.login, "none" if repository.private else "read")
    permission = _OLD_NAMES.get(role, role)
    user = {**documents.user(ctx.base, who), "role_name": role}
    return Answer(json={"permission": permission, "role_name": role, "user": user})


def resolve(repository: Repository, ref: str) -> str:
    """The commit that a branch, a tag, a ref or a sha names."""
    for full in (f"refs/tags/{ref}", f"refs/heads/{ref}", f"refs/{ref}", ref):  # in git's order
        if full in repository.refs:
            return repository.refs[full]
    if ref.startswith("refs/pull/"):
        _, _, number, side = [*ref.split("/"), ""][:4]
        issue = repository.issues.get(int(number) if number.isdigit() else 0)
        if issue and issue.pull:
            sha = merge_sha(repository, issue) if side == "merge" else issue.pull.head_sha
            if sha:
                return sha
    if ref in repository.objects.commits:
        return ref
    raise Refused(404, f"No commit found for the ref {ref}")


@route("GET", REPO + "/commits/{ref}", "contents=read")
def get_commit(ctx: Context) -> Answer:
    repository, ref = ctx.repository, ctx.params["ref"]
    try:
        sha = resolve(repository, ref)
    except Refused:
        raise Refused(422, f"No commit found for SHA: {ref}") from None
    commit = repository.objects.commits[sha]
    files = {"stats": {"additions": 0, "deletions": 0, "total": 0}, "files": []}
    return Answer(json={**documents.commit(ctx.base, repository, commit, ctx.world.users), **files})


@route("GET", REPO + "/tarball/{ref...}", "contents=read")
def get_tarball(ctx: Context) -> Answer:
    repository = ctx.repository
    sha = resolve(repository, ctx.params["ref"])
    return Answer(status=302, headers={"Location": ctx.storage("tar.gz", tarball(repository, sha))})


def tarball(repository: Repository, sha: str) -> bytes:
    """As ``git archive`` writes it: the sha in a global header, one directory at the top."""
    buffer = io.BytesIO()
    top = f"{repository.owner.login}-{repository.name}-{sha[:7]}"
    with tarfile.open(
        fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT, pax_headers={"comment": sha}
    ) as tar:
        directory = tarfile.TarInfo(f"{top}/")
        directory.type, directory.mode = tarfile.DIRTYPE, 0o775
        tar.addfile(directory)
        for path, leaf in sorted(repository.objects.at(sha).items()):
            info = tarfile.TarInfo(f"{top}/{path}")
            info.mode = 0o775 if leaf.mode == EXECUTABLE else 0o664
            if leaf.mode == LINK:
                info.type, info.mode = tarfile.SYMTYPE, 0o777
                info.linkname = repository.objects.blobs[leaf.sha].decode("utf-8", "surrogateescape")
                tar.addfile(info)
            elif leaf.mode == SUBMODULE:
                info.type = tarfile.DIRTYPE
                tar.addfile(info)
            else:
                content = repository.objects.blobs[leaf.sha]
                info.size = len(content)
                tar.addfile(info, io.BytesIO(content))
    return gzip.compress(buffer.getvalue(), mtime=0)
