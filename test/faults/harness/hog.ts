// For `node --import`: on SIGUSR2 the process takes memory until it has none, in one turn. HOG: `heap`, or buffers outside of it.
const { HOG } = process.env
process.on('SIGUSR2', () => {
  const all: object[] = []
  for (;;)
    all.push(HOG === 'heap' ? Array.from({ length: 10_000 }, (_, index) => ({ index })) : Buffer.alloc(1 << 20, 1))
})
