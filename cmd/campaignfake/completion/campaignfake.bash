# Completion of campaignfake in bash: source <(campaignfake completion bash)
_campaignfake() {
  local words=() word line i last=-1 files=
  for ((i = 1; i <= COMP_CWORD; i++)); do # bash makes three words of --flag=value
    word=${COMP_WORDS[i]}
    if [[ $last -ge 0 && ${words[last]} == --* && ($word == = || ${words[last]} == *=) ]]; then
      words[last]+=$word
    else
      words[++last]=$word
    fi
  done
  word=${words[last]}
  COMPREPLY=()
  while IFS= read -r line; do
    line=${line%%$'\t'*}
    if [[ $line == : ]]; then
      files=yes
    elif [[ $line == --*=* ]]; then
      COMPREPLY+=("${line#*=}") # bash replaces only what is after the =
    else
      COMPREPLY+=("$line")
    fi
  done < <("${COMP_WORDS[0]}" completion --words "${words[@]}" 2>/dev/null)
  if [[ $files ]]; then
    compopt -o filenames 2>/dev/null
    [[ $word == --*=* ]] && word=${word#*=}
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$word")
  fi
}
complete -F _campaignfake campaignfake
