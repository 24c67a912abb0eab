import { sgr, type Paint } from '../../encode/pretty/colors.ts'
import { escapeForTerminal } from '../../encode/pretty/visible.ts'
import { amountText, countText } from '../report/number-text.ts'
import type { ProducerSequence, SequenceCheck, SequenceExample } from './sequence-check.ts'
import type { IntegerRange } from './sequence-ranges.ts'

const maxGaps = 10
const maxProducers = 20

/** Returns the lines about the completeness of a sequence. */
export function sequenceLines(sequence: SequenceCheck, paint: Paint): string[] {
  const lines = [paint(sgr.bold, `Sequence ${escapeForTerminal(sequence.key)}`)]
  const { producers } = sequence
  if (producers.length === 0) lines.push(`  ${paint(sgr.redBold, 'no record has an integer with this key')}`)
  // Incomplete sequences come first, because only the first ones are listed.
  const ordered = producers.toSorted((one, other) => Number(one.isComplete) - Number(other.isComplete))
  for (const producer of ordered.slice(0, maxProducers)) lines.push(...producerLines(producer, paint))
  const rest = ordered.slice(maxProducers)
  if (rest.length > 0) {
    const incomplete = rest.filter(({ isComplete }) => !isComplete).length
    lines.push(
      paint(
        sgr.dim,
        `  and ${amountText(rest.length, 'more process', 'more processes')}, ${countText(incomplete)} incomplete`,
      ),
    )
  }
  if (sequence.withoutNumber > 0 && producers.length > 0) {
    lines.push(paint(sgr.dim, `  ${amountText(sequence.withoutNumber, 'record')} without a number`))
  }
  if (sequence.unchecked > 0) {
    lines.push(
      `  ${paint(sgr.redBold, `${amountText(sequence.unchecked, 'number')} not checked: there are too many gaps`)}`,
    )
  }
  return lines
}

function producerLines(sequence: ProducerSequence, paint: Paint): string[] {
  const { ranges, duplicates, outOfOrder, missing } = sequence
  const name = sequence.producer === '' ? '' : `${escapeForTerminal(sequence.producer)}: `
  const result = sequence.isComplete
    ? paint(sgr.green, 'complete')
    : paint(
        sgr.redBold,
        [
          ...(missing > 0 ? [`${countText(missing)} missing`] : []),
          ...(duplicates > 0 ? [amountText(duplicates, 'duplicate')] : []),
          ...(outOfOrder > 0 ? [`${countText(outOfOrder)} out of order`] : []),
        ].join(', '),
      )
  const lines = [`  ${name}${ranges.first} to ${ranges.last}, ${result}`]
  if (missing > 0) lines.push(`    missing: ${gapsText(sequence.gaps(maxGaps), ranges.size - 1)}`)
  if (duplicates > 0) lines.push(`    duplicates: ${examplesText(sequence.duplicateExamples, duplicates)}`)
  if (outOfOrder > 0) lines.push(`    out of order: ${examplesText(sequence.outOfOrderExamples, outOfOrder)}`)
  return lines
}

function gapsText(gaps: readonly IntegerRange[], count: number): string {
  const texts = gaps.map(({ first, last }) => (first === last ? `${first}` : `${first} to ${last}`))
  return texts.join(', ') + moreText(count - gaps.length)
}

function examplesText(examples: readonly SequenceExample[], count: number): string {
  const texts = examples.map(({ value, origin }) => `${value} (${escapeForTerminal(origin.file)}:${origin.line})`)
  return texts.join(', ') + moreText(count - examples.length)
}

function moreText(count: number): string {
  return count > 0 ? ` and ${countText(count)} more` : ''
}
