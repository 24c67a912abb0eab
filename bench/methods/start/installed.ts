import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Package } from './packages.ts'

/** What an installation puts on the disk, peer dependencies left out: the lengths of the files, not the blocks they fill. */
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

/** Of our own package: the files that npm would publish. It needs no network, and no scripts are run. */
export function installedOurs({ root, name }: Package): Installed {
  const folder = join(root, 'node_modules', name)
  const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Locked
  if (Object.keys(dependencies).length > 0) throw new Error(`${name} has dependencies, whose size is not known here`)
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts']
  const said = execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  const [packed] = Object.values(JSON.parse(said) as Readonly<Record<string, { readonly unpackedSize: number }>>)
  return { bytes: packed!.unpackedSize, packages: 1 }
}

/** Of a rival: its folder in `bench/node_modules` and those of all that it depends on, as the lock file has them. */
export function installedRival({ root, name }: Package): Installed {
  const { packages: lock } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Lock }
  const places = new Set<string>()
  const add = (place: string | undefined) => {
    if (place === undefined || places.has(place)) return
    places.add(place)
    for (const needed of needs(lock[place]!)) add(placeOf(needed, place, lock))
  }
  add(`node_modules/${name}`)
  const present = [...places].filter((place) => isPresent(join(root, place), lock[place]!))
  return { bytes: present.reduce((sum, place) => sum + sizeOf(join(root, place)), 0), packages: present.length }
}

/** What npm puts beside a package, whoever else is there. */
function needs({ dependencies, optionalDependencies, peerDependencies = {} }: Locked): string[] {
  const names = Object.keys({ ...dependencies, ...optionalDependencies })
  return names.filter((name) => !Object.hasOwn(peerDependencies, name))
}

/** Where a package finds another one: in its own `node_modules`, or further up. Undefined where npm had no need of it. */
function placeOf(name: string, from: string, lock: Lock): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
    const place = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`
    if (Object.hasOwn(lock, place)) return place
    if (at === '') return undefined
  }
}

function isPresent(folder: string, { optional = false }: Locked & { readonly optional?: boolean }): boolean {
  if (existsSync(folder)) return true
  // npm leaves out what is not made for this system.
  if (optional) return false
  throw new Error(`${folder} is not there: \`npm --prefix bench ci\` installs it`)
}

/** A `node_modules` in it belongs to other packages. */
function sizeOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .reduce((sum, entry) => {
      const path = join(folder, entry.name)
      return sum + (entry.isDirectory() ? sizeOf(path) : lstatSync(path).size)
    }, 0)
}
