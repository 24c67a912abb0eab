import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runChild } from '../support/child.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/**
 * A folder outside the repository in which programs are compiled and run as users write them: `import 'sluice'` finds a
 * package whose entries are the source files, so that nothing needs to be built.
 */
export class Workshop {
  private readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-docs-')))

  constructor() {
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { exports: Record<string, unknown> }
    const entries = Object.keys(manifest.exports).filter((entry) => !entry.endsWith('.json'))
    const exports = Object.fromEntries(entries.map((entry) => [entry, `./src/${entry === '.' ? 'index' : entry}.ts`]))
    this.write('node_modules/sluice/package.json', JSON.stringify({ name: 'sluice', type: 'module', exports }))
    symlinkSync(join(root, 'src'), join(this.folder, 'node_modules/sluice/src'))
    symlinkSync(join(root, 'node_modules/@types'), join(this.folder, 'node_modules/@types'))
    this.write('package.json', JSON.stringify({ type: 'module' }))
  }

  /** Puts a program into a folder of its own, which becomes its working directory. */
  add(name: string, text: string): void {
    this.write(`programs/${name}/program.ts`, text)
  }

  /** What the compiler has to say of all programs; '' when nothing is wrong. */
  async compile(): Promise<string> {
    const compilerOptions = { noUnusedLocals: false, noUnusedParameters: false }
    this.write('tsconfig.json', JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, include: ['programs'] }))
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const { stdout, stderr } = await runChild({ args: [tsc, '-p', this.folder, '--pretty', 'false'] })
    return (stdout + stderr).replaceAll(/^.*programs\/(.*)\/program\.ts/gm, '$1')
  }

  /** Runs a program; says what it wrote to its standard output, then to its standard error. */
  async run(name: string): Promise<string> {
    const cwd = join(this.folder, 'programs', name)
    const { stdout, stderr } = await runChild({ args: ['--disable-warning=ExperimentalWarning', 'program.ts'], cwd, env: unset })
    return stdout + stderr
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  private write(path: string, text: string): void {
    mkdirSync(join(this.folder, path, '..'), { recursive: true })
    writeFileSync(join(this.folder, path), text)
  }
}

/** What would change a line if the tests were started with it. */
const unset: Readonly<Record<string, string>> = Object.fromEntries(
  ['NODE_ENV', 'NO_COLOR', 'FORCE_COLOR', 'LOG_LEVEL', 'NODE_OPTIONS', 'OTEL_SERVICE_NAME', 'OTEL_RESOURCE_ATTRIBUTES']
    .concat(Object.keys(process.env).filter((name) => name.startsWith('SLUICE_')))
    .map((name) => [name, '']),
)
