import { join } from 'node:path'
import { configurationOf, type Part } from './part.ts'
import { run } from './run.ts'

const copyDependencies = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies'

/** The Kafka broker and its tools: `java -cp '<folder>/lib/*' kafka.Kafka server.properties`. */
export const kafka: Part = {
  name: 'kafka-4.1.0',
  configuration: 'kafka.xml',
  madeBy: ['java', 'mvn'],
  mainFile: join('lib', 'kafka_2.13-4.1.0.jar'),
  make(folder) {
    const options = ['--batch-mode', '--quiet', '--file', configurationOf(kafka)]
    run('mvn', [...options, copyDependencies, `-DoutputDirectory=${join(folder, 'lib')}`])
  },
}
