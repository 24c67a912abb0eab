import type { LevelDescription, LevelLayerDescription } from '../../level-control/level-control.ts'

/** The response of a levels handler. It comes from another process, so that its source can be an unknown word. */
export interface LevelsReply {
  /** The ID of the change that was added; undefined for other requests. */
  readonly id?: string
  /** The IDs of the changes that were reverted; undefined for other requests. */
  readonly reverted?: readonly string[]
  readonly layers: readonly LayerReply[]
  readonly loggers: LevelDescription['loggers']
}

/** A layer in a response. */
interface LayerReply extends Omit<LevelLayerDescription, 'source'> {
  readonly source: string
}

/** Returns the response of a levels handler, with the members of the right types; undefined if the value is not such a response. */
export function levelsReply(value: Record<string, unknown> | undefined): LevelsReply | undefined {
  const { id, reverted, layers, loggers } = value ?? {}
  if (!Array.isArray(layers) || !Array.isArray(loggers)) return undefined
  return {
    ...(typeof id === 'string' && { id }),
    ...(Array.isArray(reverted) && { reverted: reverted.filter((item) => typeof item === 'string') }),
    layers: layers.map((layer: unknown) => layerOf(Object(layer) as Record<string, unknown>)),
    loggers: loggers.map((logger: unknown) => loggerOf(Object(logger) as Record<string, unknown>)),
  }
}

function layerOf(layer: Record<string, unknown>): LayerReply {
  const { id, directives, source, by, remoteAddress, untilMillis, remainingMillis } = layer
  return {
    id: text(id),
    directives: text(directives),
    source: text(source),
    ...(typeof by === 'string' && { by }),
    ...(typeof remoteAddress === 'string' && { remoteAddress }),
    ...(typeof untilMillis === 'number' && { untilMillis }),
    ...(typeof remainingMillis === 'number' && { remainingMillis }),
  }
}

function loggerOf(logger: Record<string, unknown>): LevelDescription['loggers'][number] {
  const { name, level, configuredLevel, dependsOnRecord } = logger
  return {
    name: text(name),
    level: text(level),
    configuredLevel: text(configuredLevel),
    dependsOnRecord: dependsOnRecord === true,
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
