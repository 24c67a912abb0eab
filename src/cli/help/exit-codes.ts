/** What the exit codes of the program mean. */
export const exitCodes: readonly { readonly code: number; readonly meaning: string }[] = [
  { code: 0, meaning: 'Everything was read. A reader such as `head` that closes the pipe early is not an error.' },
  {
    code: 1,
    meaning: 'No record matched (with `--exit-code` only), or `sluice check` found something wrong.',
  },
  {
    code: 2,
    meaning: 'An argument is wrong, or a file could not be read completely. All other files have been read.',
  },
  { code: 130, meaning: 'Ctrl-C ended the program, also one that follows files.' },
]
