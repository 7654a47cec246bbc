"""The Git data API: blobs, trees, commits, refs, with the shas that git gives."""

import base64
import re

from fakes.github import documents
from fakes.github.model import Repository
from fakes.github.objects import DIRECTORY, EXECUTABLE, FILE, LINK, SUBMODULE, Leaf, Objects, Person
from fakes.github.routes_repository import REPO, resolve
from fakes.github.routing import Answer, Context, Refused, not_found, route

READ, WRITE = "contents=read", "contents=write"
_TYPES = {FILE: "blob", EXECUTABLE: "blob", LINK: "blob", DIRECTORY: "tree", SUBMODULE: "commit"}
_BAD_NAME = re.compile(r"\.\.|[\x00-\x20~^:?*\[\\\x7f]|//|@\{|\.lock(/|$)|(^|/)\.|[./]$")


@route("POST", REPO + "/git/blobs", WRITE)
def post_blob(ctx: Context) -> Answer:
    assert ctx.body["encoding"] == "base64"
    content = base64.b64decode(ctx.text("content"))
    repository = ctx.repository
    sha = repository.objects.blob(content)
    url = f"{ctx.base}/repos/{repository.full_name}/git/blobs/{sha}"
    return Answer(status=201, json={"sha": sha, "url": url})


@route("GET", REPO + "/git/blobs/{sha}", READ)
def get_blob(ctx: Context) -> Answer:
    repository, sha = ctx.repository, ctx.params["sha"]
    content = repository.objects.blobs[sha]
    return Answer(
        json={
            "sha": sha,
            "node_id": documents.NODE,
            "size": len(content),
            "url": f"{ctx.base}/repos/{repository.full_name}/git/blobs/{sha}",
            "content": base64.encodebytes(content).decode(),
            "encoding": "base64",
        }
    )


@route("GET", REPO + "/git/trees/{sha...}", READ)
def get_tree(ctx: Context) -> Answer:
    repository, name = ctx.repository, ctx.params["sha"]
    objects = repository.objects
    tree = name if name in objects.trees else objects.commits[resolve(repository, name)].tree
    recursive = bool(ctx.query.get("recursive"))
    return Answer(json=_tree(ctx, repository, tree, recursive=recursive))


def _tree(ctx: Context, repository: Repository, sha: str, *, recursive: bool) -> documents.Json:
    url = f"{ctx.base}/repos/{repository.full_name}/git"
    objects = repository.objects
    found: list[documents.Json] = []

    def add(tree: str, prefix: str) -> None:
        for name, leaf in objects.trees[tree].items():
            kind = _TYPES[leaf.mode]
            entry: documents.Json = {
                "path": prefix + name,
                "mode": leaf.mode,
                "type": kind,
                "sha": leaf.sha,
                "url": f"{url}/{kind}s/{leaf.sha}",
            }
            if kind == "blob":
                entry["size"] = len(objects.blobs[leaf.sha])
            found.append(entry)
            if recursive and kind == "tree":
                add(leaf.sha, f"{prefix}{name}/")

    add(sha, "")
    return {"sha": sha, "url": f"{url}/trees/{sha}", "tree": found, "truncated": False}


@route("POST", REPO + "/git/trees", WRITE)
def post_tree(ctx: Context) -> Answer:
    repository = ctx.repository
    objects = repository.objects
    # Without a base the tree is made of the entries alone.
    files = dict(objects.files(ctx.text("base_tree"))) if "base_tree" in ctx.body else {}
    for entry in ctx.body["tree"]:
        _enter(objects, files, entry)
    sha = objects.tree_of(files)
    return Answer(status=201, json=_tree(ctx, repository, sha, recursive=False))


def _enter(objects: Objects, files: dict[str, Leaf], entry: dict[str, str | None]) -> None:
    """Put an entry of a new tree among ``files``."""
    path, sha = entry["path"], entry["sha"]
    if {"..", ".", ".git", ""} & set(path.split("/")):
        raise Refused(422, "tree.path contains a malformed path component")
    if sha is None:
        if files.pop(path, None) is None:
            raise Refused(422, "GitRPC::BadObjectState")
        return
    assert sha in objects.blobs
    for other in [one for one in files if one.startswith(f"{path}/")]:
        del files[other]
    files[path] = Leaf(mode=entry["mode"], sha=sha)


@route("POST", REPO + "/git/commits", WRITE)
def post_commit(ctx: Context) -> Answer:
    repository = ctx.repository
    objects = repository.objects
    tree, parents = ctx.text("tree"), ctx.body["parents"]
    assert tree in objects.trees
    assert objects.commits.keys() >= set(parents)
    who = ctx.token.user
    person = Person(
        name=who.login, email=f"{who.id}+{who.login}@users.noreply.github.com", when=ctx.world.now()
    )
    sha = objects.commit(tree=tree, parents=parents, message=ctx.text("message"), author=person)
    return Answer(status=201, json=documents.git_commit(ctx.base, repository, objects.commits[sha]))


@route("GET", REPO + "/git/commits/{sha}", READ)
def get_git_commit(ctx: Context) -> Answer:
    repository = ctx.repository
    found = repository.objects.commits.get(ctx.params["sha"])
    if found is None:
        raise not_found()
    return Answer(json=documents.git_commit(ctx.base, repository, found))


def _ref(ctx: Context, repository: Repository, ref: str) -> documents.Json:
    sha = repository.refs[ref]
    url = f"{ctx.base}/repos/{repository.full_name}/git"
    target = {"type": "commit", "sha": sha, "url": f"{url}/commits/{sha}"}
    return {"ref": ref, "node_id": documents.NODE, "url": f"{url}/{ref}", "object": target}


@route("GET", REPO + "/git/ref/{ref...}", READ)
def get_ref(ctx: Context) -> Answer:
    repository, ref = ctx.repository, f"refs/{ctx.params['ref']}"
    if ref not in repository.refs:
        raise not_found()
    return Answer(json=_ref(ctx, repository, ref))


@route("POST", REPO + "/git/refs", WRITE)
def post_ref(ctx: Context) -> Answer:
    repository, ref, sha = ctx.repository, ctx.text("ref"), ctx.text("sha")
    if _BAD_NAME.search(ref):
        raise Refused(422, f"{ref} is not a valid ref name.")
    if ref in repository.refs:
        raise Refused(422, "Reference already exists")
    assert sha in repository.objects.commits
    if any(other.startswith(f"{ref}/") or ref.startswith(f"{other}/") for other in repository.refs):
        raise Refused(422, "Reference update failed")
    ctx.world.move(repository, ref, sha)
    return Answer(status=201, json=_ref(ctx, repository, ref))


@route("PATCH", REPO + "/git/refs/{ref...}", WRITE)
def patch_ref(ctx: Context) -> Answer:
    repository, ref, sha = ctx.repository, f"refs/{ctx.params['ref']}", ctx.text("sha")
    if ref not in repository.refs:
        raise Refused(422, "Reference does not exist")
    assert sha in repository.objects.commits
    if ref.removeprefix("refs/heads/") in repository.protected:
        raise Refused(
            422,
            "Protected branch update failed for " + ref,
            errors=["Changes must be made through a pull request."],
        )
    if not ctx.body.get("force", False) and repository.refs[ref] not in repository.objects.ancestors(sha):
        raise Refused(422, "Update is not a fast forward")
    ctx.world.move(repository, ref, sha)
    return Answer(json=_ref(ctx, repository, ref))


@route("DELETE", REPO + "/git/refs/{ref...}", WRITE)
def delete_ref(ctx: Context) -> Answer:
    repository, ref = ctx.repository, f"refs/{ctx.params['ref']}"
    if ref not in repository.refs:
        raise Refused(422, "Reference does not exist")
    name = ref.removeprefix("refs/heads/")
    if name in repository.protected:
        raise Refused(422, "Cannot delete this protected branch")
    ctx.world.move(repository, ref, None)
    for issue in repository.issues.values():  # its pull requests close with it
        if issue.pull and issue.pull.head_repository is repository and issue.pull.head_ref == name:
            issue.state = "closed"
    return Answer(status=204)
