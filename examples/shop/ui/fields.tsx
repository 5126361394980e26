import { type ComponentProps, type ReactNode, useId } from 'react'

type TextProps = ComponentProps<'input'> & {
  readonly label: string
  readonly hint?: string | undefined
  readonly error?: string | undefined
}

/** A labelled field with its hint and its error, which a screen reader reads with it. */
export function TextField({ label, hint, error, ...input }: TextProps): ReactNode {
  // Pages one has left stay in the document: a name alone may be there twice.
  const noteId = useId()
  return (
    <label className="field">
      <span>{label}</span>
      <input aria-describedby={noteId} aria-invalid={error !== undefined} {...input} />
      <small id={noteId} className={error ? 'error' : 'hint'}>
        {error ?? hint}
      </small>
    </label>
  )
}

type ChoiceProps = {
  readonly name: string
  readonly label: string
  readonly names: Readonly<Record<string, string>>
  readonly value?: string | undefined
  /** What stands first, and means no choice. */
  readonly all?: string
}

/** A labelled list to choose from; it follows the URL when that changes. */
export function Choice({ name, label, names, value = '', all }: ChoiceProps): ReactNode {
  return (
    <label className="field">
      {label}
      <select key={value} name={name} defaultValue={value} data-waymark-volatile>
        {all && <option value="">{all}</option>}
        {Object.entries(names).map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}
