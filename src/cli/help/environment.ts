/** The environment variables that the program reads, with their meanings. */
export const environment: readonly (readonly [name: string, meaning: string])[] = [
  ['PAGER', 'The program that shows long output on a terminal; `less` by default.'],
  ['LESS', 'The options of `less`; `FRX` by default.'],
  ['NO_COLOR', 'Turns colors off if it is not empty.'],
  ['FORCE_COLOR', 'Turns colors on without a terminal; `0` turns them off.'],
  ['SLUICE_LEVEL_URL', 'The address of `sluice level` without `--url`.'],
  ['SLUICE_LEVEL_TOKEN', 'The token of `sluice level` without `--token-file`.'],
  ['SLUICE_UI_TOKEN', 'The token of `sluice ui` without `--token`.'],
  ['TZ', 'The local time zone, such as `Europe/Berlin`.'],
  ['TMPDIR', 'The directory for temporary files of `--sort` and `--trace-of`.'],
]
