import type { Directive } from '../../levels/directive.ts'
import { monotonicNow, type LevelLayer, type LevelSource } from '../../levels/level-layer.ts'
import { processLevelLayers } from '../../levels/level-layers.ts'
import {
  hasDirectiveSyntax,
  maxDirectivesLength,
  parseDirectives,
  separateBareLevel,
} from '../../levels/parse-directives.ts'
import type { OnDiagnostic } from '../../options/configuration-error.ts'
import { followMainThread } from './level-threads.ts'
import { pollFile } from './poll-file.ts'
import { readConfiguredFile } from './regular-files.ts'
import { valueOf, type Environment } from './variables.ts'

/** How often the file of `SLUICE_LEVEL_FILE` is checked for changes, in ms. */
const pollMillis = 1_000

/**
 * Sets the directives of `SLUICE_LEVEL`, and those of the file that `SLUICE_LEVEL_FILE` names, which is then checked every second
 * for changes. Only the first call in a thread has an effect, in whichever copy of the package. Never throws.
 */
export function startLevelSources(reportDiagnostic: OnDiagnostic, env: Environment = process.env): void {
  const layers = processLevelLayers()
  if (layers.hasSources) return
  layers.hasSources = true
  followMainThread()
  const text = valueOf(env, 'SLUICE_LEVEL')
  // `readEnvironment` reports invalid directives, and reads the level without a name, which is the level of loggers without one in code.
  if (text !== undefined && hasDirectiveSyntax(text)) {
    const { targeted } = separateBareLevel(parseDirectives(text, layers.knownLevels, true).directives)
    if (targeted.length > 0) layers.addInitial(newLayer(targeted, 'environment', -Infinity))
  }
  const path = valueOf(env, 'SLUICE_LEVEL_FILE')
  if (path !== undefined) followLevelFile(path, reportDiagnostic)
}

/**
 * Sets the directives of a file, now and whenever the file changes. If the file cannot be read, or only has invalid directives, its last
 * directives stay set; if it is removed or empty, they are reverted.
 *
 * @returns a function that stops following the file
 */
export function followLevelFile(path: string, reportDiagnostic: OnDiagnostic): () => void {
  let layer: LevelLayer | undefined
  let content: string | undefined
  let isInitial = true
  let failure: string | undefined
  const reportFailure = (message: string) => {
    if (message !== failure) report(reportDiagnostic, failed, message)
    failure = message
  }
  const update = () => {
    try {
      // Editors of Windows add a byte order mark.
      const text = readConfiguredFile(path, maxDirectivesLength)?.replace(/^\uFEFF/, '')
      if (text === undefined) reportFailure(notSmallFile)
      else {
        failure = undefined
        if (text !== content) layer = updateLayer(layer, text, isInitial, reportDiagnostic)
        content = text
      }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      const isMissing = code === 'ENOENT'
      // The file is removed to revert its directives. If it is missing at the start, its name may be wrong.
      if (!isMissing || isInitial)
        reportFailure(
          `cannot be read (${code}); ${isMissing ? 'it sets no directives' : 'its last directives stay set'}`,
        )
      if (isMissing) layer = content = withoutLayer(layer)
    }
    isInitial = false
  }
  update()
  const stop = pollFile(path, pollMillis, update)
  return () => {
    stop()
    layer = withoutLayer(layer)
  }
}

/** Sets the directives that the file has now in place of those that it had. */
function updateLayer(
  previous: LevelLayer | undefined,
  text: string,
  isInitial: boolean,
  reportDiagnostic: OnDiagnostic,
): LevelLayer | undefined {
  const layers = processLevelLayers()
  const { directives, problems } = parseDirectives(text, layers.knownLevels, true)
  const ignored = problems
    .slice(0, maxReportedProblems)
    .map(({ position, message }) => `${lineAndColumn(text, position)}: ${message}`)
  // One diagnostic for all, because each code is reported once a minute.
  if (ignored.length > 0) {
    const others = previous === undefined ? 'it sets no directives' : 'its last directives stay set'
    const effect = directives.length > 0 ? 'the other directives are set' : `no directive is valid, and ${others}`
    report(reportDiagnostic, invalid, `${ignored.join('; ')}; ${effect}`)
    if (directives.length === 0) return previous
  }
  if (directives.length === 0) return withoutLayer(previous)
  const layer = newLayer(directives, 'file', isInitial ? -Infinity : monotonicNow(), ignored)
  if (isInitial) layers.addInitial(layer)
  else layers.replace(previous, layer)
  return layer
}

/** The maximum number of problems of a file that are reported each time it is read. */
const maxReportedProblems = 10

function withoutLayer(layer: LevelLayer | undefined): undefined {
  if (layer !== undefined) processLevelLayers().remove(layer)
  return undefined
}

function newLayer(
  directives: readonly Directive[],
  source: LevelSource,
  setAt: number,
  ignored: readonly string[] = [],
): LevelLayer {
  return {
    id: crypto.randomUUID(),
    directives,
    text: directives.map(({ text }) => text).join(),
    ignored: ignored.length === 0 ? undefined : ignored,
    source,
    by: undefined,
    remoteAddress: undefined,
    setAt,
    until: undefined,
    expiresAt: Infinity,
    thread: undefined,
    isPerThread: true,
  }
}

/** The codes of diagnostics. */
const failed = 'SLUICE_LEVEL_FILE_FAILED'
const invalid = 'SLUICE_LEVEL_FILE_INVALID'

const notSmallFile = `is not a file of at most ${maxDirectivesLength} bytes; its last directives stay set`

function report(reportDiagnostic: OnDiagnostic, code: string, message: string): void {
  try {
    reportDiagnostic({ code, message: `the file of SLUICE_LEVEL_FILE: ${message}` })
  } catch {
    // The application's callback threw.
  }
}

function lineAndColumn(text: string, position: number): string {
  const before = text.slice(0, position).split('\n')
  return `line ${before.length}, character ${before.at(-1)!.length + 1}`
}
