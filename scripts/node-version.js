// Plain JavaScript, and imported first, because unsupported versions of Node cannot load a .ts file.
const [major, minor] = process.versions.node.split('.').map(Number)

if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `This repository's scripts need Node 22.18 or later, and this is ${process.versions.node}.\n` +
      '`npm ci` installs Node 24 for them, unless install scripts are off. Either run `npm rebuild node`,\n' +
      'and start the scripts through npm (`npm test`), or put a newer Node first on your PATH.',
  )
  process.exit(1)
}
