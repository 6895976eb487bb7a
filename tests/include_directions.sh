#!/usr/bin/env bash
# Includes point one way: app → ui → model, app → ingest → model, agent → ingest.
# Prints every include that points elsewhere. usage: include_directions.sh [SOURCE_DIRECTORY]
set -euo pipefail
cd "${1:-$(dirname "$0")/..}"

qt='[<"]Q([A-Z]|t)'
std='<[a-z_0-9]+>'

includes() # FOLDER FILES: as file:line:what is included
{
    grep -rnE '^[[:space:]]*#[[:space:]]*include' --include="$2" "$1" 2>/dev/null |
        sed -E 's/:[[:space:]]*#[[:space:]]*include[[:space:]]*/:/' || true
}

may() # FOLDER FILES PATTERN: these may be included, and nothing else
{
    includes "$1" "$2" | grep -vE ":[0-9]+:($3)" || true
}

mayNot() # FOLDER PATTERN: anything but these may be included
{
    includes "$1" '*.[ch]*' | grep -E ":[0-9]+:($2|\"\.\.?/)" || true
}

against=$(
    may model '*.h' "\"model/|$std|<tl/expected\.hpp>"
    may model '*.cpp' "\"model/|$std|<tl/expected\.hpp>|<xxhash\.h>|<re2/"
    mayNot ingest "$qt|[<\"](ui|app|agent)/"
    mayNot ui '[<"](ingest|app|agent)/'
    mayNot agent "$qt|[<\"](ui|app|model/views)/"
)
[[ -z $against ]] || { printf 'includes against the map:\n%s\n' "$against"; exit 1; }
