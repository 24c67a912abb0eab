/** Shows the type of a name in a program while the pointer is on it. */
export function showTypes(): void {
  const tooltip = document.createElement('div')
  tooltip.className = 'type-tooltip'
  tooltip.setAttribute('role', 'tooltip')
  tooltip.hidden = true
  document.body.append(tooltip)
  document.addEventListener('pointerover', ({ target }) => {
    const name = target instanceof Element ? target.closest<HTMLElement>('.typed') : null
    // The tooltip stays while the pointer is on it, so that its text can be selected.
    if (name === null) tooltip.hidden = !(target instanceof Node && tooltip.contains(target))
    else show(tooltip, name)
  })
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') tooltip.hidden = true
  })
}

function show(tooltip: HTMLElement, name: HTMLElement): void {
  tooltip.textContent = name.dataset['type'] ?? ''
  tooltip.hidden = false
  const { left, top, bottom } = name.getBoundingClientRect()
  const { offsetWidth, offsetHeight } = tooltip
  const maxLeft = document.documentElement.clientWidth - offsetWidth - 8
  const isBelow = bottom + offsetHeight < window.innerHeight
  tooltip.style.left = `${Math.max(8, Math.min(left, maxLeft)) + window.scrollX}px`
  tooltip.style.top = `${(isBelow ? bottom : top - offsetHeight) + window.scrollY}px`
}
