import { sdkLogsSubject } from './sdk-logs.ts'

/** The official SDK with its defaults, which loses records. */
export const sdkLogsDefault = sdkLogsSubject(
  {
    title: '@opentelemetry/sdk-logs 3.1, BatchLogRecordProcessor() (maxQueueSize: 2,048), JSON lines',
    whenFull: 'drops new records over 2,048',
  },
  {},
)
