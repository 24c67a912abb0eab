import { errorCode } from '../../exporters/fd/write-errors.ts'

const reasons: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'no such file'],
  ['ENOTDIR', 'no such file'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['EISDIR', 'it is a directory'],
  ['ELOOP', 'it is a symbolic link, or one of too many links'],
  ['EMFILE', 'too many files are open'],
  ['ENXIO', 'it is a socket'],
  ['Z_BUF_ERROR', 'the compressed data ends too early'],
  ['Z_DATA_ERROR', 'the compressed data is damaged'],
])

/** Returns the text of an error of opening or reading an input, to be written after the name of the input. */
export function inputProblem(error: unknown, hasBegun: boolean): string {
  const code = errorCode(error)
  const what = hasBegun ? 'cannot be read to its end' : 'cannot be read'
  // The message of an error of this package is the reason.
  if (code.startsWith('SLUICE_')) return `${what}: ${(error as Error).message}`
  const reason = reasons.get(code) ?? compressionReason(code)
  return reason === undefined ? `${what} (${code})` : `${what}: ${reason} (${code})`
}

function compressionReason(code: string): string | undefined {
  if (code === 'ZSTD_error_srcSize_wrong') return reasons.get('Z_BUF_ERROR')
  // Node derives the codes of brotli from the names of its errors, such as ERR__ERROR_FORMAT_TRANSFORM.
  return /^(?:ZSTD_|ERR_(?:BROTLI_|PADDING_|_ERROR_))/.test(code) ? reasons.get('Z_DATA_ERROR') : undefined
}
