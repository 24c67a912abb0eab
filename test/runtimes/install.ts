// Installs the dependencies of the suites: the packages of each folder's lockfile, and this package as it would be published.
// `node test/runtimes/install.ts [folder …]`
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = join(here, '../..')
const all = readdirSync(here).filter((folder) => existsSync(join(here, folder, 'package-lock.json')))
const named = process.argv.slice(2)
const work = mkdtempSync(join(tmpdir(), 'sluice-runtimes-'))

try {
  const tarball = packed()
  for (const folder of named.length > 0 ? named : all) {
    const at = join(here, folder)
    if (!isInstalled(at))
      execFileSync('npm', ['ci', '--silent', '--no-audit', '--no-fund'], { cwd: at, stdio: 'inherit' })
    const target = join(at, 'node_modules/sluice')
    rmSync(target, { recursive: true, force: true })
    mkdirSync(target)
    execFileSync('tar', ['-xzf', tarball, '-C', target, '--strip-components=1'])
  }
} finally {
  rmSync(work, { recursive: true })
}

/** Packs the built package as `npm publish` would. */
function packed(): string {
  const output = execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', work], {
    cwd: root,
    encoding: 'utf8',
  })
  return join(work, output.trim())
}

/** Returns whether the packages of a folder are installed, by the lockfile that npm writes into node_modules. */
function isInstalled(folder: string): boolean {
  const there = packagesIn(join(folder, 'node_modules/.package-lock.json'))
  if (there === undefined) return false
  const wanted = packagesIn(join(folder, 'package-lock.json'))!
  return Object.entries(wanted).every(
    ([path, { version, optional }]) => path === '' || optional === true || there[path]?.version === version,
  )
}

type Packages = Readonly<Record<string, { readonly version?: string; readonly optional?: boolean }>>

function packagesIn(path: string): Packages | undefined {
  if (!existsSync(path)) return undefined
  return (JSON.parse(readFileSync(path, 'utf8')) as { packages: Packages }).packages
}
