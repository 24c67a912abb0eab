import { fstatSync } from 'node:fs'
import { oneLine } from '../../options/one-line.ts'
import { followFile } from '../../read/follow/follow-file.ts'
import { addLines } from '../../viewer/inputs/add-lines.ts'
import { FileOutput } from '../../viewer/inputs/file-output.ts'
import { TextJoiner } from '../../viewer/inputs/text-joiner.ts'
import type { ViewerServer } from '../../viewer/server/viewer-server.ts'
import { RecordAdder } from '../../viewer/store/record-adder.ts'
import type { Diagnostics } from '../diagnostics.ts'
import { filesExceptDirectories } from '../view/files-except-directories.ts'
import { filesExceptOutput } from '../view/files-except-output.ts'
import type { UiSettings } from './ui-settings.ts'

/** Follows the files of `sluice ui` until the signal is aborted. Errors are reported. */
export function followUiFiles(
  settings: UiSettings,
  server: ViewerServer,
  diagnostics: Diagnostics,
  signal: AbortSignal,
): void {
  for (const file of followedFiles(settings, diagnostics)) void follow(file, server, diagnostics, signal)
}

/** Returns the files to follow: also standard input if it is redirected and nothing else is read. */
function followedFiles({ files, program }: UiSettings, diagnostics: Diagnostics): readonly string[] {
  if (files.length === 0 && program === undefined && isStandardInputRedirected()) return ['-']
  const readable = filesExceptOutput(filesExceptDirectories(files, diagnostics), (file) =>
    diagnostics.error(`${oneLine(file)}: it is the output too, and is not read`),
  )
  return [...new Set(readable)]
}

function isStandardInputRedirected(): boolean {
  try {
    const stats = fstatSync(0)
    return stats.isFIFO() || stats.isSocket() || stats.isFile()
  } catch {
    return false
  }
}

async function follow(
  file: string,
  server: ViewerServer,
  diagnostics: Diagnostics,
  signal: AbortSignal,
): Promise<void> {
  try {
    // Files are read again by the next viewer, so they are not saved in the database.
    const adder = new RecordAdder(server.logs, Date.now, file === '-')
    await addLines(file, followFile(file, { signal }), new TextJoiner(new FileOutput(adder)), (message) =>
      diagnostics.note(`${oneLine(file)}: ${message}`),
    )
  } catch (error) {
    diagnostics.error(`${oneLine(file)}: ${error instanceof Error ? error.message : String(error)}`)
  }
}
