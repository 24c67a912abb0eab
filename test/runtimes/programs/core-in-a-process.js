// `node core-in-a-process.js URL`. Says the ledger last.
import './core.js'

console.log(JSON.stringify(await globalThis.logByCore(process.argv[2])))
