import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { kafka } from '../../../scripts/real-parts/kafka.ts'
import { folderOf } from '../../../scripts/real-parts/part.ts'
import { freePorts } from '../../support/processes/ports.ts'
import { startProgram, type RunningProgram } from '../../support/processes/start-program.ts'

/** A Kafka broker on the loopback interface that is also the controller. */
export interface Broker {
  /** `127.0.0.1:<port>`, which does not change on restart. */
  readonly address: string
  kill(signal: NodeJS.Signals): Promise<void>
  /** Restarts the broker with its stored data. */
  restart(): Promise<void>
  stop(): Promise<void>
}

const PARTITIONS = 3

/** Starts a broker whose files are in `directory`, and waits until it is ready. */
export async function startBroker(directory: string): Promise<Broker> {
  const [port, controllerPort] = await freePorts(2)
  const address = `127.0.0.1:${port}`
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, 'log4j2.properties'), logging)
  writeFileSync(
    join(directory, 'server.properties'),
    `process.roles=broker,controller
node.id=1
listeners=PLAINTEXT://${address},CONTROLLER://127.0.0.1:${controllerPort}
advertised.listeners=PLAINTEXT://${address}
controller.listener.names=CONTROLLER
controller.quorum.voters=1@127.0.0.1:${controllerPort}
log.dirs=${join(directory, 'data')}
num.partitions=${PARTITIONS}
offsets.topic.replication.factor=1
offsets.topic.num.partitions=1
group.initial.rebalance.delay.ms=0
`,
  )
  const java = ['-Xmx256m', '-Dlog4j2.configurationFile=log4j2.properties', '-cp', join(folderOf(kafka), 'lib', '*')]
  // An id must not start with a dash, because Kafka's command line would parse it as an option.
  const clusterId = `A${randomBytes(16).toString('base64url').slice(1)}`
  const format = ['kafka.tools.StorageTool', 'format', '--cluster-id', clusterId, '--config', 'server.properties']
  execFileSync('java', [...java, ...format], { cwd: directory, stdio: 'ignore' })

  const run = (): Promise<RunningProgram> =>
    startProgram({
      command: 'java',
      args: [...java, 'kafka.Kafka', 'server.properties'],
      cwd: directory,
      ready: /Kafka Server started/,
    })
  let program = await run()
  return {
    address,
    kill: (signal) => program.kill(signal),
    async restart() {
      await program.stop()
      program = await run()
    },
    stop: () => program.stop(),
  }
}

const logging = `status = error
appender.console.type = Console
appender.console.name = console
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %p %m%n
rootLogger.level = info
rootLogger.appenderRef.console.ref = console
`
