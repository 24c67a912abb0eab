import { existsSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Where the writer's program is: beside this file in the sources, one file for both formats in a build, and beside the bundle
 * if somebody has put it there. A bundler that does not know of it leaves it behind; then undefined.
 *
 * @param given the program that somebody names, as a path or `file:` URL.
 */
export function writerProgram(given?: string | URL): string | undefined {
  const places = given === undefined ? ownPlaces() : [given]
  return places.map(pathOf).find((path) => path !== undefined && existsSync(path))
}

function ownPlaces(): URL[] {
  try {
    if (extname(import.meta.url) === '.ts') return [new URL('writer-process.ts', import.meta.url)]
    return ['writer-process.mjs', '../writer-process.mjs'].map((path) => new URL(path, import.meta.url))
  } catch {
    return [] // a bundle that does not know where it is
  }
}

function pathOf(place: string | URL): string | undefined {
  try {
    return typeof place === 'string' && !place.startsWith('file:') ? place : fileURLToPath(place)
  } catch {
    return undefined // no file
  }
}
