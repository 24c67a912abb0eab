import { loadPageFiles } from '../../viewer/server/load-page-files.ts'
import { ViewerServer } from '../../viewer/server/viewer-server.ts'
import { Diagnostics } from '../diagnostics.ts'
import type { ParsedArguments } from '../options/parse-arguments.ts'
import { UsageError } from '../options/usage-error.ts'
import { followUiFiles } from './follow-ui-files.ts'
import { runUiProgram } from './run-ui-program.ts'
import { loadArchive, openDatabase } from './ui-database.ts'
import { uiSettings, type UiSettings } from './ui-settings.ts'

/**
 * Runs `sluice ui` until it is interrupted, or until its program has ended and no page is open. Returns the exit code, which is that of the
 * program.
 *
 * @throws UsageError if the arguments are invalid, or the port is in use.
 */
export async function runUi(parsed: ParsedArguments): Promise<number> {
  const settings = uiSettings(parsed, process.env)
  const { token, program } = settings
  const diagnostics = new Diagnostics()
  const server = new ViewerServer({
    ...settings,
    database: openDatabase(settings.database),
    page: loadPageFiles(),
    onWarning: (message) => diagnostics.note(message),
  })
  const url = await listen(server, settings)
  // Another process that reads the messages can send a signal at once. If a program was started, it gets the signals.
  const interrupted = program === undefined ? interruption() : undefined
  for (const line of startMessages(url, settings)) diagnostics.note(line)
  if (server.archive !== undefined) void loadArchive(server.archive, diagnostics)
  const abort = new AbortController()
  followUiFiles(settings, server, diagnostics, abort.signal)
  try {
    if (program === undefined) return await interrupted!
    const { code, isInterrupted } = await runUiProgram(program, server, { url, token }, diagnostics)
    if (server.pageCount > 0 && !isInterrupted) {
      diagnostics.note(`the program ended with the exit code ${code}; the viewer is open until Ctrl+C`)
      // Signals before the end were those of the program.
      await interruption()
    }
    return code
  } finally {
    abort.abort()
    server.close()
  }
}

/** The exit codes of a program that a signal has ended: 128 and the number of the signal. */
const [interruptedCode, terminatedCode] = [130, 143]

/** Waits for a signal, and returns its exit code. */
async function interruption(): Promise<number> {
  return new Promise<number>((resolve) => {
    process.once('SIGINT', () => resolve(interruptedCode))
    process.once('SIGTERM', () => resolve(terminatedCode))
  })
}

/** The address of this machine by the address that means all of its addresses. */
const anyAddresses: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
])

async function listen(server: ViewerServer, { host, port }: UiSettings): Promise<string> {
  try {
    const actualPort = await server.listen()
    const name = anyAddresses.get(host) ?? host
    return `http://${name.includes(':') ? `[${name}]` : name}:${actualPort}`
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EADDRINUSE') {
      throw new UsageError(
        `port ${port} is in use, perhaps by another viewer or a Collector; write --port 0 for a free port`,
      )
    }
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new UsageError(`--host ${host} is not an address of this machine`)
    if (code === 'EACCES') throw new UsageError(`port ${port} is reserved; write a port above 1023`)
    throw error
  }
}

/** Returns what a user needs at the start: the address of the page, and how programs send to the viewer. */
function startMessages(url: string, { token, program }: UiSettings): readonly string[] {
  if (token !== undefined)
    return [
      `open ${url}/?token=${encodeURIComponent(token)}`,
      `programs send OTLP over HTTP to ${url} with the header Authorization: Bearer TOKEN`,
    ]
  const open = `open ${url}`
  return program === undefined
    ? [open, `programs send OTLP over HTTP to it: OTEL_EXPORTER_OTLP_ENDPOINT=${url}`]
    : [open]
}
