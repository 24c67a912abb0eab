import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Package } from './packages.ts'

/** The size of an installation without peer dependencies: the lengths of the files, not their disk blocks. */
export interface Installed {
  readonly bytes: number
  readonly packages: number
}

interface Locked {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}
type Lock = Readonly<Record<string, Locked>>

/** Returns the size of the sluice package: the files that npm would publish. Uses no network and runs no scripts. */
export function installedOurs({ root, name }: Package): Installed {
  const folder = join(root, 'node_modules', name)
  const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Locked
  if (Object.keys(dependencies).length > 0)
    throw new Error(`the size of ${name} is unknown, because it has dependencies`)
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts']
  const json = execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  const [packed] = Object.values(JSON.parse(json) as Readonly<Record<string, { readonly unpackedSize: number }>>)
  return { bytes: packed!.unpackedSize, packages: 1 }
}

/** Returns the size of a rival: its folder in `bench/node_modules` and those of its dependencies, by the lock file. */
export function installedRival({ root, name }: Package): Installed {
  const { packages: lock } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Lock }
  const places = new Set<string>()
  const add = (place: string | undefined) => {
    if (place === undefined || places.has(place)) return
    places.add(place)
    for (const name of dependenciesOf(lock[place]!)) add(placeOf(name, place, lock))
  }
  add(`node_modules/${name}`)
  const present = [...places].filter((place) => isPresent(join(root, place), lock[place]!))
  return { bytes: present.reduce((sum, place) => sum + sizeOf(join(root, place)), 0), packages: present.length }
}

/** Returns the dependencies that npm installs for a package. */
function dependenciesOf({ dependencies, optionalDependencies, peerDependencies = {} }: Locked): string[] {
  const names = Object.keys({ ...dependencies, ...optionalDependencies })
  return names.filter((name) => !Object.hasOwn(peerDependencies, name))
}

/** Returns where a package finds another one: in its own `node_modules` or a parent's. Undefined if npm did not install it. */
function placeOf(name: string, from: string, lock: Lock): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
    const place = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`
    if (Object.hasOwn(lock, place)) return place
    if (at === '') return undefined
  }
}

function isPresent(folder: string, { optional = false }: Locked & { readonly optional?: boolean }): boolean {
  if (existsSync(folder)) return true
  // npm omits packages for other systems.
  if (optional) return false
  throw new Error(`${folder} does not exist: run \`npm --prefix bench ci\``)
}

/** A nested `node_modules` belongs to other packages. */
function sizeOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .reduce((sum, entry) => {
      const path = join(folder, entry.name)
      return sum + (entry.isDirectory() ? sizeOf(path) : lstatSync(path).size)
    }, 0)
}
