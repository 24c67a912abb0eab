import { closeIfSameFile } from '../../../exporters/fd/descriptor.ts'
import type { SinkEvents } from './sink.ts'

/**
 * Closes a descriptor. If that fails, for example because other code has closed it, a diagnostic is reported. Never throws.
 *
 * @param fileKey - identifies the file of the descriptor when it was opened; undefined if it was not open
 */
export function closeOrReport(
  { fd, fileKey }: { readonly fd: number; readonly fileKey: string | undefined },
  { reportDiagnostic }: Pick<SinkEvents, 'reportDiagnostic'>,
): void {
  const code = closeIfSameFile(fd, fileKey)
  if (code === undefined) return
  const reason = code === 'EBADF' ? '; other code has closed it' : ''
  reportDiagnostic({
    code: 'SLUICE_WRITE_FAILED',
    message: `a destination cannot close descriptor ${fd} (${code})${reason}`,
  })
}
