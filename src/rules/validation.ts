import * as v from 'valibot'

type Describe = (issue: v.BaseIssue<unknown>) => string

/**
 * Returns the message for missing fields of an object: the one that the schema of the field has for
 * `undefined`. Valibot has one message for the object and all its missing fields.
 *
 * @param describe Describes faults for which a schema has no message.
 */
export function messageOfMissing(
  fields: v.ObjectEntries,
  describe: Describe = ({ message }) => message,
): Describe {
  return (issue) => {
    const field = fields[String(issue.path?.at(-1)?.key)]
    if (field === undefined) return describe(issue)
    const [fault = issue] = v.safeParse(field, undefined, { message: describe }).issues ?? []
    return fault.message
  }
}
