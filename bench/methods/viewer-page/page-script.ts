/**
 * Functions in the page, as text because their types are those of browsers. All times are from an event to the frame in which its effect is
 * seen.
 */
export const pageScript = `
globalThis.measure = {
  /** Calls a function, and returns the time in ms until a condition holds in a frame. */
  async untilShown(start, isShown) {
    const begin = performance.now()
    start()
    for (;;) {
      const time = await new Promise(requestAnimationFrame)
      if (isShown()) return Math.max(time, performance.now()) - begin
    }
  },
  rows() {
    return [...document.querySelectorAll('.list .row:not(.loading)')]
  },
  status() {
    return document.querySelector('.status').textContent
  },
  chip(name) {
    return [...document.querySelectorAll('.chip')].find((chip) => chip.querySelector('.name').textContent === name)
  },
  async chosen(name, part, text) {
    const isShown = () => measure.status().includes(' of ') && measure.rows().length > 0 &&
      measure.rows().every((row) => row.querySelector(part)?.textContent === text)
    const millis = await measure.untilShown(() => measure.chip(name).click(), isShown)
    await measure.allShown(() => measure.chip(name).click())
    return millis
  },
  async written(query, text) {
    const input = document.getElementById('query')
    const write = (value) => {
      input.value = value
      input.dispatchEvent(new Event('input', { bubbles: true }))
    }
    const isShown = () => measure.status().includes(' of ') && measure.rows().length > 0 &&
      measure.rows().every((row) => row.textContent.includes(text))
    const millis = await measure.untilShown(() => write(query), isShown)
    await measure.allShown(() => write(''))
    return millis
  },
  /** Chooses a trace in the record that is open, and removes the condition again. */
  async traced(trace) {
    const button = [...document.querySelectorAll('.trace-links button')].at(-1)
    const isShown = () => measure.status().includes(' of ') && measure.rows().length > 0 && document.querySelector('.condition') !== null
    const millis = await measure.untilShown(() => button.click(), isShown)
    await measure.allShown(() => document.querySelector('.condition').click())
    return millis
  },
  async allShown(start) {
    start()
    while (measure.status().includes(' of ') || measure.status().includes('to search')) await new Promise(requestAnimationFrame)
  },
  /** Scrolls to another place in each frame. Returns the durations of the frames in ms, and in how many the rows were there. */
  async scrolled(frames) {
    const list = document.getElementById('records')
    const durations = []
    let before = await new Promise(requestAnimationFrame)
    for (let frame = 0; frame < frames; frame++) {
      // Half of the frames scroll by the wheel, the others by the scroll bar.
      const range = list.scrollHeight - list.clientHeight
      list.scrollTop = frame % 40 < 20 ? list.scrollTop + (list.scrollTop > range / 2 ? -90 : 90) : range * ((frame * 0.618034) % 1)
      const time = await new Promise(requestAnimationFrame)
      durations.push(time - before)
      before = time
    }
    return durations
  },
  /** Keeps when each number was first seen in the list, in ms since the Unix epoch. */
  watchNumbers() {
    const seen = (measure.seen = {})
    const look = () => {
      for (const row of measure.rows().slice(-30)) {
        const number = /^live (\\d+)$/.exec(row.querySelector('.text').textContent)?.[1]
        if (number !== undefined) seen[number] ??= performance.timeOrigin + performance.now()
      }
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  },
}
`
