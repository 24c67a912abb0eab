import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

interface ModalDialogProps {
  readonly class: string
  readonly label: string
  readonly children: ComponentChildren
  onClose(): void
}

/** A dialog over the page. The browser keeps the focus in it, and returns the focus when it is closed. */
export function ModalDialog({ label, children, onClose, ...props }: ModalDialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const dialog = element.current!
    dialog.showModal()
    // Keys scroll the dialog, and no button of it is pressed by accident.
    dialog.focus()
    // A dialog that is only removed does not return the focus.
    return () => dialog.close()
  }, [])
  return (
    <dialog
      ref={element}
      class={props.class}
      aria-label={label}
      tabIndex={-1}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onPointerDown={(event) =>
        event.target === event.currentTarget && isOutside(event, event.currentTarget) && onClose()
      }
    >
      {children}
    </dialog>
  )
}

function isOutside({ clientX, clientY }: PointerEvent, element: HTMLElement): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect()
  return clientX < left || clientX > right || clientY < top || clientY > bottom
}
