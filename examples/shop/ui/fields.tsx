import { type ComponentProps, type ReactNode, useId } from 'react'

type TextProps = ComponentProps<'input'> & {
  readonly label: string
  readonly hint?: string | undefined
  readonly error?: string | undefined
}

/** Field with a label, a hint and an error. Screen readers read all three. */
export function TextField({ label, hint, error, ...input }: TextProps): ReactNode {
  // Use a generated id: the name alone isn't unique, because pages that the visitor has left stay in the
  // document.
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
  /** Label of the first option, which selects nothing. */
  readonly all?: string
}

/** Select field with a label. The selected value follows changes to the URL. */
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
