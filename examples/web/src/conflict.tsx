import { type FormEvent, useEffect, useRef, useState } from 'react'
import { differences, type Draft, type FieldName, labels, textOf } from './album-draft.ts'

interface ConflictProps {
  /** The album when the user started to edit. */
  readonly base: Draft
  /** The draft of the user. */
  readonly yours: Draft
  /** The album as another user has saved it meanwhile. */
  readonly theirs: Draft
  /** Saves a draft over theirs. */
  readonly onSave: (draft: Draft) => void
  /** Discards the user's changes. */
  readonly onDiscard: () => void
}

/** Shows two versions of an album side by side, and lets the user choose: field by field, or one of them as a whole. */
export function Conflict({ base, yours, theirs, onSave, onDiscard }: ConflictProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const fields = differences(yours, theirs)
  const changedByUser = new Set(differences(base, yours))
  // The default for fields that the user has not changed is the newer value.
  const [chosen, setChosen] = useState(() => new Set(fields.filter((name) => changedByUser.has(name))))

  useEffect(() => heading.current?.focus(), [])

  const choose = (name: FieldName, isYours: boolean) => {
    const others = [...chosen].filter((each) => each !== name)
    setChosen(new Set(isYours ? [...others, name] : others))
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSave(merged(theirs, yours, chosen))
  }

  return (
    <form className="conflict" onSubmit={submit}>
      <h2 ref={heading} tabIndex={-1}>
        Somebody else has changed this album
      </h2>
      <p>Nothing is saved yet. Choose what to keep of each field in which the two versions differ.</p>
      {fields.map((name) => (
        <fieldset key={name}>
          <legend>{labels[name]}</legend>
          <Choice
            side="Yours"
            name={name}
            text={textOf(yours, name)}
            isChosen={chosen.has(name)}
            onChoose={() => choose(name, true)}
          />
          <Choice
            side="Theirs"
            name={name}
            text={textOf(theirs, name)}
            isChosen={!chosen.has(name)}
            onChoose={() => choose(name, false)}
          />
        </fieldset>
      ))}
      <div className="buttons">
        <button className="primary">Save what is chosen</button>
        <button type="button" onClick={() => onSave(yours)}>
          Overwrite with yours
        </button>
        <button type="button" onClick={onDiscard}>
          Keep theirs
        </button>
      </div>
    </form>
  )
}

interface ChoiceProps {
  readonly side: 'Yours' | 'Theirs'
  readonly name: FieldName
  readonly text: string
  readonly isChosen: boolean
  readonly onChoose: () => void
}

function Choice({ side, name, text, isChosen, onChoose }: ChoiceProps) {
  return (
    <label className="choice">
      <input type="radio" name={name} checked={isChosen} onChange={onChoose} />
      <span className="side">{side}</span>
      <span>{text === '' ? '(empty)' : text}</span>
    </label>
  )
}

/** Returns a version with the values that another one has in some fields. */
function merged(version: Draft, other: Draft, names: ReadonlySet<FieldName>): Draft {
  return { ...version, ...Object.fromEntries([...names].map((name) => [name, other[name]])) }
}
