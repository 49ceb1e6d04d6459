#compdef campaignfake
# Completion of campaignfake in zsh: source <(campaignfake completion zsh), after compinit
_campaignfake() {
  local line files= prefix=
  local -a candidates
  while IFS= read -r line; do
    if [[ $line == : ]]; then files=yes; continue; fi
    # _describe wants value:description, so a colon of the value is escaped.
    candidates+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
  done < <("${(Q)words[1]}" completion --words "${(@Q)words[2,CURRENT]}" 2>/dev/null)
  (( $#candidates )) && _describe campaignfake candidates
  if [[ -n $files ]]; then
    [[ $PREFIX == --*=* ]] && compset -P '*='
    _files
  fi
}
(( $+functions[compdef] )) && compdef _campaignfake campaignfake
# As a file in $fpath, the script is the body of the function.
[[ $funcstack[1] == _campaignfake ]] && _campaignfake "$@"
true
