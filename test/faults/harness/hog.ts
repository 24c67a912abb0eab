// For `node --import`: on SIGUSR2 the process allocates memory in one turn until none is left. HOG=heap allocates on the heap,
// other values allocate buffers.
const { HOG } = process.env
process.on('SIGUSR2', () => {
  const all: object[] = []
  for (;;)
    all.push(HOG === 'heap' ? Array.from({ length: 10_000 }, (_, index) => ({ index })) : Buffer.alloc(1 << 20, 1))
})
