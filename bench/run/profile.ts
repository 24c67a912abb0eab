import { writeFileSync } from 'node:fs'
import { type Profiler, Session } from 'node:inspector/promises'

/** The self time of a function. */
export interface ProfiledFunction {
  readonly name: string
  readonly place: string
  readonly share: number
  /** The time per record. */
  readonly nanos: number
}

const shown = 25

/** Profiles `action` every 100 µs, saves the profile in a file, and returns the functions with the longest self times. */
export async function profiled<T>(
  file: string,
  records: number,
  action: () => Promise<T>,
): Promise<{ readonly result: T; readonly functions: readonly ProfiledFunction[] }> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: 100 })
  await session.post('Profiler.start')
  const result = await action()
  const { profile } = await session.post('Profiler.stop')
  session.disconnect()
  writeFileSync(file, JSON.stringify(profile))
  return { result, functions: longest(profile, records) }
}

function longest(profile: Profiler.Profile, records: number): ProfiledFunction[] {
  const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]))
  const callers = new Map(
    profile.nodes.flatMap(({ children = [], callFrame }) => children.map((id) => [id, callFrame])),
  )
  const functions = new Map<string, { readonly name: string; readonly place: string; micros: number }>()
  let total = 0
  profile.samples!.forEach((id, index) => {
    const micros = profile.timeDeltas![index]!
    const { name, place } = described(frames.get(id)!, callers.get(id))
    const key = `${name} ${place}`
    const entry = functions.get(key) ?? { name, place, micros: 0 }
    entry.micros += micros
    total += micros
    functions.set(key, entry)
  })
  return [...functions.values()]
    .toSorted((a, b) => b.micros - a.micros)
    .slice(0, shown)
    .map(({ name, place, micros }) => ({ name, place, share: micros / total, nanos: (micros * 1_000) / records }))
}

/** Describes a function. Native functions have no source position and often no name, so the caller is named. */
function described(
  { functionName, url, lineNumber }: Frame,
  caller: Frame | undefined,
): { name: string; place: string } {
  if (url !== '')
    return { name: functionName || '(anonymous)', place: `${url.split('/').slice(-2).join('/')}:${lineNumber + 1}` }
  if (functionName.startsWith('(')) return { name: functionName, place: '' }
  return { name: functionName || '(native)', place: `called by ${caller?.functionName || '(anonymous)'}` }
}

type Frame = Profiler.ProfileNode['callFrame']
