import type { Command, OptionValues } from 'commander'
import { deviceSchema, factorDialects, factorSchema } from '../../totp/factor-schema.ts'
import { addCommand, stringOption, UsageError, type CommandResult } from '../command/result.ts'

/** Adds the commands about the tables of `@svc/auth/totp`. */
export function addTotpCommands(program: Command): void {
  addCommand(
    program.command('totp').description('Prints what a host of `@svc/auth/totp` creates.'),
    'schema',
    'Prints the statement that creates the table of second factors, for migrations of your own.',
    printSchema,
  )
    .requiredOption('--dialect <dialect>', `the database: ${factorDialects.join(', ')}`)
    .option('--devices', 'print the statement that adds the column of devices to it')
}

function printSchema(options: OptionValues): CommandResult {
  const given = stringOption(options, 'dialect')
  const dialect = factorDialects.find((one) => one === given)
  if (dialect === undefined) throw new UsageError(`--dialect: give ${factorDialects.join(', ')}`)
  const schema = options['devices'] === true ? deviceSchema : factorSchema
  const statement = `${schema[dialect]};`
  return { lines: statement.split('\n'), json: { dialect, statement } }
}
