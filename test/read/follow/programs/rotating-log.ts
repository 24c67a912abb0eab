// Writes lines to a log and rotates it: node rotating-log.ts METHOD PATH ROTATIONS LINES
//
// Each line is `<generation> <number> <padding>`. For methods that delete the old file, the program waits before each rotation until
// its standard input contains the number of the generation: a file that is created and deleted between two checks cannot be followed.
import {
  appendFileSync,
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
  readFileSync,
} from 'node:fs'
import { gzipSync } from 'node:zlib'

const [method, path, rotations, lines] = process.argv.slice(2) as [string, string, string, string]
const LINES_PER_WRITE = 50

const acknowledged = new Set<string>()
process.stdin.setEncoding('latin1').on('data', (text: string) => {
  for (const word of text.split('\n')) acknowledged.add(word)
})

/** Renames path.2 to path.3, path.1 to path.2. */
function shift(extension = ''): void {
  let count = 1
  while (existsSync(`${path}.${count}${extension}`)) count++
  for (; count > 1; count--) renameSync(`${path}.${count - 1}${extension}`, `${path}.${count}${extension}`)
}

let fd = openSync(path, 'a')
const reopen = (): void => {
  closeSync(fd)
  fd = openSync(path, 'a')
}
const date = (generation: number): string => `2026-11-21T10-00-00-${String(generation).padStart(3, '0')}Z`

const rotate: Readonly<Record<string, (generation: number) => void | Promise<void>>> = {
  'rename and create'() {
    shift()
    renameSync(path, `${path}.1`)
    reopen()
  },
  // The program continues to write to the renamed file for some time.
  async 'rename, create and reopen later'(generation) {
    shift()
    renameSync(path, `${path}.1`)
    writeFileSync(path, '')
    for (let late = 0; late < 10; late++) {
      writeSync(fd, `${generation} late${late} after the rotation\n`)
      await pause(2)
    }
    reopen()
  },
  'rename to dated names'(generation) {
    renameSync(path, path.replace('.log', `.${date(generation)}.log`))
    reopen()
  },
  'delete and create'() {
    rmSync(path)
    reopen()
  },
  'atomic replace'() {
    writeFileSync(`${path}.new`, '')
    renameSync(`${path}.new`, path)
    reopen()
  },
  'copy and truncate'() {
    shift()
    copyFileSync(path, `${path}.1`)
    truncateSync(path, 0)
  },
  'copy, truncate and compress'() {
    shift('.gz')
    copyFileSync(path, `${path}.1`)
    truncateSync(path, 0)
    compress(`${path}.1`)
  },
  'rename, create and compress'() {
    shift('.gz')
    renameSync(path, `${path}.1`)
    reopen()
    compress(`${path}.1`)
  },
}

function compress(file: string): void {
  writeFileSync(`${file}.gz`, gzipSync(readFileSync(file)))
  rmSync(file)
}

function pause(millis: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, millis)
  })
}

const deletes = method === 'delete and create' || method === 'atomic replace'
for (let generation = 0; generation <= Number(rotations); generation++) {
  for (let line = 0; line < Number(lines); line += LINES_PER_WRITE) {
    const numbers = Array.from({ length: LINES_PER_WRITE }, (_, index) => line + index)
    writeSync(fd, numbers.map((number) => `${generation} ${number} ${'x'.repeat(number % 97)}\n`).join(''))
    if (generation % 3 !== 0 || line % 500 === 0) await pause(1)
  }
  if (generation === Number(rotations)) break
  if (deletes) while (!acknowledged.has(String(generation))) await pause(1)
  await rotate[method]!(generation)
}
appendFileSync(path, 'end\n')
process.exit()
