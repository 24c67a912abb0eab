/** Times of a view, in ms. */
export interface ViewTimes {
  /** Until the page has the state with the first rows, and these rows. */
  readonly firstRows: number
  /** Until all records are tested. */
  readonly allRows: number
  readonly rows: number
}

interface State {
  readonly rows: number
  readonly untested: number
}

/** Opens a view as the page does, and reads its first rows. */
export async function timeView(url: string, filter: string): Promise<ViewTimes> {
  const start = performance.now()
  const response = await fetch(`${url}/api/live?${filter}`)
  if (!response.ok) throw new Error(`the view was refused: ${await response.text()}`)
  let text = ''
  let view = ''
  let firstRows = Number.NaN
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk
    const events = text.split('\n\n')
    text = events.pop()!
    for (const event of events) {
      const [, name, data] = /^event: (\w+)\ndata: (.*)$/.exec(event) ?? []
      if (name === 'view') view = data!
      if (name === 'failure') throw new Error(data)
      if (name !== 'state') continue
      const { rows, untested } = JSON.parse(data!) as State
      if (rows > 0 && Number.isNaN(firstRows)) firstRows = await timeRows(url, view, rows, start)
      if (untested > 0) continue
      return { firstRows, allRows: performance.now() - start, rows }
    }
  }
  throw new Error('the view was closed')
}

async function timeRows(url: string, view: string, rows: number, start: number): Promise<number> {
  const response = await fetch(`${url}/api/rows?view=${view}&from=${Math.max(0, rows - 50)}&count=50`)
  await response.json()
  return performance.now() - start
}
