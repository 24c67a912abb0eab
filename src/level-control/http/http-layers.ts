import type { LevelLayer } from '../../levels/level-layer.ts'
import { processLevelLayers } from '../../levels/level-layers.ts'

/** The maximum number of layers that HTTP requests can add. */
export const maxHttpLayers = 64

/** The minimum length of the beginning of an ID that selects a layer. */
const minPrefixLength = 8

/** Returns the layers that the levels handlers of this thread have added, the newest first. */
export function httpLayers(): readonly LevelLayer[] {
  const layers = processLevelLayers()
  layers.removeExpired()
  return layers.layers.filter(({ source, thread }) => source === 'http' && thread === undefined)
}

/** Returns the layer whose ID is the text, or the only one whose ID begins with its at least 8 characters. */
export function layerWithId(layers: readonly LevelLayer[], text: string): LevelLayer | undefined {
  const exact = layers.find(({ id }) => id === text)
  if (exact !== undefined || text.length < minPrefixLength) return exact
  const found = layers.filter(({ id }) => id.startsWith(text))
  return found.length === 1 ? found[0] : undefined
}
