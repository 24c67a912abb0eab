// Writes pictures of the terminal format to docs/pictures, from the output of a program.
//   node scripts/terminal-pictures.ts --update              writes them
//   node scripts/terminal-pictures.ts                       fails if one is not up to date
//   node scripts/terminal-pictures.ts --compare <directory> writes pictures of all scenes, with other loggers too (needs `npm --prefix bench ci`)
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { commands, commandText } from './terminal-pictures/commands.ts'
import { scenes } from './terminal-pictures/scenes.ts'
import { darkTheme, lightTheme, terminalSvg, type Theme } from './terminal-pictures/svg.ts'

const program = fileURLToPath(new URL('terminal-pictures/write-scene.ts', import.meta.url))
const root = fileURLToPath(new URL('..', import.meta.url))
const pictures = new URL('../docs/pictures/', import.meta.url)
const themes = [lightTheme, darkTheme] as const

/** The pictures in the documentation: the scene, the width in columns and the title. */
const documented: readonly (readonly [string, number, string])[] = [
  ['overview', 100, 'Records of a web service in a terminal'],
  ['requests', 100, 'Records of two requests in a terminal'],
  ['objects', 100, 'Objects, arrays and long strings in a terminal'],
  ['errors', 100, 'Errors with causes in a terminal'],
]

const [mode, directory] = process.argv.slice(2)
if (mode === '--compare') await compare(directory ?? 'temp/pictures')
else process.exitCode = updatePictures(mode === '--update') ? 0 : 1

function updatePictures(writes: boolean): boolean {
  const current = documented.map(([scene, columns, title]) =>
    isCurrent(scene, terminalSvg(outputOf('sluice', scene, columns, true), columns, themes, title), writes),
  )
  for (const [name, title, columns, args] of commands)
    current.push(isCurrent(`command-${name}`, terminalSvg(commandText(args), columns, themes, title), writes))
  return !current.includes(false)
}

/** Returns whether a picture is up to date, after writing it if `writes` is true. */
function isCurrent(name: string, svg: string, writes: boolean): boolean {
  const file = new URL(`${name}.svg`, pictures)
  if (writes) {
    mkdirSync(pictures, { recursive: true })
    writeFileSync(file, svg)
  } else if (!existsSync(file) || readFileSync(file, 'utf8') !== svg) {
    console.error(`docs/pictures/${name}.svg is not up to date; run node scripts/terminal-pictures.ts --update`)
    return false
  }
  return true
}

async function compare(target: string): Promise<void> {
  mkdirSync(target, { recursive: true })
  for (const logger of ['sluice', 'pino-pretty', 'tslog'])
    for (const scene of Object.keys(await scenes()))
      for (const columns of [80, 120, 200])
        for (const [name, color, theme] of [
          ['dark', true, darkTheme],
          ['light', true, lightTheme],
          ['plain', false, lightTheme],
        ] as [string, boolean, Theme][]) {
          const text = outputOf(logger, scene, columns, color)
          const title = `${scene}: ${logger}, ${columns} columns, ${name}`
          writeFileSync(
            `${target}/${scene}-${columns}-${name}-${logger}.svg`,
            terminalSvg(text, columns, [theme], title),
          )
        }
}

function outputOf(logger: string, scene: string, columns: number, color: boolean): string {
  const args = [program, logger, scene, String(columns), String(color)]
  return execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
}
