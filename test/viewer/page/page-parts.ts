import type { Page } from 'playwright-core'

/** Returns the messages of the rows that are seen as a whole, in their order. */
export async function rowsShown(page: Page): Promise<string[]> {
  // The rows before and after the window exist too.
  return page.evaluate<string[]>(`{
    const list = document.getElementById('records').getBoundingClientRect();
    [...document.querySelectorAll('.list .row')]
      .filter((row) => row.getBoundingClientRect().top >= list.top - 1 && row.getBoundingClientRect().bottom <= list.bottom + 1)
      .map((row) => row.querySelector('.text')?.textContent ?? 'loading')
  }`)
}

/** Scrolls the list to a fraction of its height, as with its scroll bar. */
export async function scrollList(page: Page, fraction: number): Promise<void> {
  await page.evaluate<void>(`{
    const list = document.getElementById('records')
    list.scrollTop = (list.scrollHeight - list.clientHeight) * ${fraction}
  }`)
}

/** Returns the text of the button with the number of new records, or '' while the page has no such button. */
export async function newRows(page: Page): Promise<string> {
  return (await page.locator('.new-rows').allInnerTexts()).join('')
}

export async function statusText(page: Page): Promise<string> {
  return page.locator('.status').innerText()
}

/** Returns the text of the selected row; '' if it is not in the window. */
export async function selectedText(page: Page): Promise<string> {
  return (await page.locator('.list .row.selected').allInnerTexts()).join('')
}

/** Returns the parameters of the page's address. */
export function addressOf(page: Page): URLSearchParams {
  return new URL(page.url()).searchParams
}
