#!/bin/sh
# verify.sh PROGRAM FOLDER: the smoke check, and then every evidence bundle of a
# folder. Needs no account and no network; for any CI. Exit status 0 when all
# hold, 3 when one does not, 2 when there is nothing to judge.
set -u
program=${1:?the path of gemini-search} folder=${2:?the folder of the bundles}

# Plays back a recorded search through everything but the model.
"$program" demo >/dev/null || { echo "the smoke check failed" >&2; exit 1; }

seen=0 broken=0
for bundle in "$folder"/*.json; do
  [ -e "$bundle" ] || continue
  seen=$((seen + 1))
  if "$program" verify "$bundle"; then
    echo "holds: $bundle"
  else
    echo "broken: $bundle" >&2
    broken=$((broken + 1))
  fi
done
[ "$seen" -gt 0 ] || { echo "there is no bundle in $folder" >&2; exit 2; }
echo "$seen judged, $broken broken"
[ "$broken" -eq 0 ] || exit 3
