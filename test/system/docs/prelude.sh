# Replaces programs in the commands of the pages. Sourced before each block, in a folder with links to all files of the repository, $ROOT.
set -euo pipefail

# Starts a server, waits until it prints its URL, stops it, and returns its exit code.
serve() {
  local line code=1 output
  coproc SERVER { exec env PORT=0 SANDBOX_PORT=0 ${SANDBOX_ADMIN_PORT:+SANDBOX_ADMIN_PORT=0} "$@" 2>&1; }
  local pid=$SERVER_PID
  exec {output}<&"${SERVER[0]}"
  while read -r line <&"$output"; do
    printf '%s\n' "$line"
    if [[ $line =~ (Sandbox|Graph)\ on\ http|\"url\":\"http ]]; then
      kill "$pid"
      cat <&"$output"
      code=0
    fi
  done
  wait "$pid" && return "$code"
}

# Runs the script of package.json, as `npm run` does. Servers are stopped.
run_script() {
  local name=$1 script
  shift
  if [[ ${1-} == -- ]]; then shift; fi
  script=$(command node --eval 'console.log(JSON.parse(fs.readFileSync("package.json")).scripts[process.argv[1]])' "$name")
  case $name in
    start*) serve bash -c "exec $script" ;;
    *) bash -c "$script \"\$@\"" npm "$@" ;;
  esac
}

npm() {
  local command=$1
  shift
  case $command in
    # The packages are installed, and this test is one of those that `npm test` and `npm run test:all` run.
    ci | test) ;;
    install) for package; do [[ $package != ./* || -f $package ]] || return 1; done ;;
    start) run_script start "$@" ;;
    run) [[ $1 == test:all ]] || run_script "$@" ;;
    *) return 1 ;;
  esac
}

workspace_graph() {
  case ${1-} in
    '' | start | sandbox) serve node "$ROOT/cli/main.ts" "$@" ;;
    export) UPSTREAM_URL=${UPSTREAM_URL-$UPSTREAM} command node "$ROOT/cli/main.ts" "$@" ;;
    *) command node "$ROOT/cli/main.ts" "$@" ;;
  esac
}

npx() {
  if [[ $1 == -y ]]; then shift; fi
  local program=$1
  shift
  case $program in
    workspace-graph) workspace_graph "$@" ;;
    node) command node "$@" ;;
    @modelcontextprotocol/inspector) "$ROOT/test/interop/node_modules/.bin/mcp-inspector" "$@" ;;
    *) return 1 ;;
  esac
}

# Runs the command of a container without the container.
docker() {
  local command=$1 settings=()
  shift
  if [[ $command == build ]]; then
    [[ -d build/image/node_modules/workspace-graph ]]
    return
  fi
  while [[ $1 == -* ]]; do
    case $1 in
      -e) settings+=("$2") && shift 2 ;;
      -p | --tmpfs) shift 2 ;;
      *) shift ;;
    esac
  done
  [[ $command == run && $1 == workspace-graph ]] || return 1
  shift
  (
    for setting in ${settings[@]+"${settings[@]}"}; do export "${setting?}"; done
    workspace_graph "${@:-start}"
  )
}

# Creates the checkout instead of cloning it.
git() {
  mkdir workspace-graph && ln -s "$ROOT"/* workspace-graph
}

# Runs the program of the package, which isn't installed, from its source.
node() {
  serve node "${@/#node_modules\/workspace-graph\/dist\/main.js/$ROOT/cli/main.ts}"
}
