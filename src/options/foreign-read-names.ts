import { foreignNames, type ForeignNames } from './foreign-names.ts'

/** Names for `readLogs`, also those of options of the command line that have another name here. */
export const foreignReadLogsOptionNames: ForeignNames = foreignNames([
  ['query filter q predicate match test', "write where: 'level>=warn', or a function"],
  ['minLevel minimumLevel severity loglevel', "write level: 'warn'"],
  ['from start after', "write since: '-1h'"],
  ['to end before', "write until: '-1h'"],
  ['format inputFormat type', "write input: 'pino'"],
  ['fields keys fieldMap mapping', "write map: { level: 'severity' }"],
  ['sorted merge order orderBy', 'write sort: true'],
  ['watch live', 'write follow: true'],
  ['lines n last limit', 'write tail, in lines'],
  ['trace traceId', "write where: 'trace_id=…', or traceOf for all records of the traces in which one matches"],
  ['errorHandler onWarning', 'write onError: (error) => {}'],
  ['abortSignal abort', 'write signal'],
])
