import { Command } from 'commander'
import { addAccountCommands } from './user/account-commands.ts'
import { addDoctor } from './doctor/doctor.ts'
import { addHelp } from './command/help-command.ts'
import { checkOptionValues } from './command/option-values.ts'
import { addImport } from './import/import.ts'
import { addInit } from './init/init.ts'
import { addKeyCommands } from './key/key-commands.ts'
import { addMaintenanceCommands } from './maintenance/maintenance-commands.ts'
import { addReferenceCommands } from './maintenance/reference-commands.ts'
import { addSessionCommands } from './user/session-commands.ts'
import { addTotpCommands } from './maintenance/totp-commands.ts'
import { addUserCommands } from './user/user-commands.ts'

const AFTER = `
Exit codes: 0 done, 1 failed, 2 wrong usage.`

/** Creates the program `svc` with all commands. */
export function createProgram(version = ''): Command {
  const program = new Command('svc')
    .description('Operates the service of a host, which svc.config.ts, .js or .mjs exports.')
    .option('--config <file>', 'the configuration (default: svc.config.* of this folder)')
    .option('--env-file <file>', 'read variables from a file; those that are set win')
    .option('--json', 'print the result as JSON')
    .version(version, '--version', 'print the version of the package')
    .exitOverride()
    .configureHelp({ showGlobalOptions: true, helpWidth: 100, sortSubcommands: false })
    .addHelpText('after', AFTER)
  addInit(program)
  addKeyCommands(program)
  addDoctor(program)
  addMaintenanceCommands(program)
  addImport(program)
  addReferenceCommands(program)
  addSessionCommands(program)
  addAccountCommands(program)
  addTotpCommands(program)
  addUserCommands(program)
  addHelp(program)
  checkOptionValues(program)
  return program
}
