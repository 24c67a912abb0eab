import { Destination } from '../destination/destination.ts'
import { destination } from './destination.ts'
import { standardOutput } from '../standard-output.ts'
import type { AnyStream } from './instance.ts'
import type { GivenOptions } from './options.ts'
import { transport } from './transport.ts'

/** The arguments of `pino()` as options and a stream. `callers`: the files that the call came through. */
export function normalized(
  first: unknown,
  second: unknown,
  callers: readonly string[],
): { readonly options: GivenOptions; readonly stream: AnyStream } {
  if (typeof first === 'string') return { options: {}, stream: destination(first) }
  const given = (first ?? {}) as GivenOptions
  if (isStream(given)) return { options: {}, stream: given as unknown as AnyStream }
  if (given.transport) {
    if (typeof second === 'string') throw Error('only one of option.transport or stream can be specified')
    return { options: given, stream: transportOf(given, callers) }
  }
  const stream = typeof second === 'string' ? destination(second) : (second as AnyStream | undefined)
  return { options: given, stream: stream || standardOutput() }
}

function isStream(given: GivenOptions): boolean {
  return given instanceof Destination || Boolean(given.writable || given._writableState)
}

function transportOf(given: GivenOptions, callers: readonly string[]): AnyStream {
  const options = given.transport as Parameters<typeof transport>[0] & GivenOptions
  if (isStream(options)) {
    throw Error('option.transport do not allow stream, please pass to option directly. e.g. pino(transport)')
  }
  const formatters = given.formatters as { level?: unknown } | undefined
  if ((options.targets as unknown[] | undefined)?.length && typeof formatters?.level === 'function') {
    throw Error('option.transport.targets do not allow custom level formatters')
  }
  const customLevels = given.customLevels as Record<string, number> | undefined
  const levels =
    customLevels && !given.useOnlyCustomLevels ? { ...(given.levels as object), ...customLevels } : customLevels
  return transport({ caller: callers, ...options, levels })
}
