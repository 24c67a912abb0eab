/** The exit codes of the program, with their meanings. */
export const exitCodes: readonly { readonly code: number; readonly meaning: string }[] = [
  { code: 0, meaning: 'Everything was read. A reader such as `head` that closes the pipe early is not an error.' },
  {
    code: 1,
    meaning: 'No record matched (with `--exit-code` only), or `sluice check` found a problem.',
  },
  {
    code: 2,
    meaning:
      'An argument is invalid, or a file could not be read completely, or `sluice level` did not succeed. All other files were read.',
  },
  {
    code: 127,
    meaning:
      'The program of `sluice ui -- COMMAND` was not found, or 126 if it cannot be run. Otherwise, `sluice ui` ends with its exit code.',
  },
  { code: 130, meaning: 'The program was interrupted with Ctrl-C.' },
]
