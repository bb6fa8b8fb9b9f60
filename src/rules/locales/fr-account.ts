/** The French texts of the parts that the panel loads on demand. */
export const account = {
  'ui.forgot.title': 'Réinitialisez votre mot de passe',
  'ui.forgot.intro_one':
    'Saisissez votre adresse e-mail. Si elle correspond à un compte, nous envoyons un lien valable {{count}} minute.',
  'ui.forgot.intro_many':
    'Saisissez votre adresse e-mail. Si elle correspond à un compte, nous envoyons un lien valable {{count}} minutes.',
  'ui.forgot.intro_other':
    'Saisissez votre adresse e-mail. Si elle correspond à un compte, nous envoyons un lien valable {{count}} minutes.',
  'ui.forgot.submit': 'Envoyer le lien',
  'ui.forgot.sent_title': 'Consultez vos e-mails',
  'ui.forgot.sent': 'Si {{email}} correspond à un compte, un lien est en route.',
  'ui.forgot.nothing': 'Rien reçu ? Regardez dans vos courriers indésirables, ou renvoyez le lien.',

  'ui.new_password.title': 'Choisissez un nouveau mot de passe',
  'ui.new_password.first_title': 'Choisissez votre mot de passe',
  'ui.new_password.intro': 'Pour le compte de {{email}}.',
  'ui.new_password.welcome':
    'Bienvenue. Avec ce mot de passe, vous vous connectez en tant que {{email}}.',
  'ui.new_password.label': 'Nouveau mot de passe',
  'ui.new_password.rule_one':
    'Au moins {{count}} caractère. Quelques mots faciles à retenir conviennent bien.',
  'ui.new_password.rule_many':
    'Au moins {{count}} caractères. Quelques mots faciles à retenir conviennent bien.',
  'ui.new_password.rule_other':
    'Au moins {{count}} caractères. Quelques mots faciles à retenir conviennent bien.',
  'ui.new_password.required': 'Saisissez un nouveau mot de passe',
  'ui.new_password.submit': 'Enregistrer le mot de passe',
  'ui.new_password.submitting': 'Enregistrement…',

  'ui.strength.short': 'Trop court',
  'ui.strength.weak': 'Facile à deviner',
  'ui.strength.good': 'Bon',
  'ui.strength.strong': 'Fort',

  'ui.dead_link.over_title': 'Ce lien ne fonctionne plus',
  'ui.dead_link.over': 'Il a expiré ou a déjà servi. Envoyez-vous en un nouveau.',
  'ui.dead_link.missing_title': 'Cette page a besoin du lien reçu par e-mail',
  'ui.dead_link.missing': 'Ouvrez à nouveau le lien dans l’e-mail, ou envoyez-vous en un nouveau.',
  'ui.dead_link.again': 'Envoyer un nouveau lien',

  'ui.change_password.purpose': 'Le mot de passe avec lequel vous vous connectez.',
  'ui.change_password.open': 'Changer de mot de passe',
  'ui.change_password.title': 'Changez votre mot de passe',
  'ui.change_password.intro': 'Vos autres sessions seront déconnectées. Celle-ci continue.',
  'ui.change_password.current': 'Mot de passe actuel',
  'ui.change_password.current_required': 'Saisissez votre mot de passe actuel',
  'ui.change_password.done':
    'Votre mot de passe est modifié. Vos autres sessions sont déconnectées, et celle-ci continue.',

  'ui.tf.status_on': 'Activée',
  'ui.tf.status_off': 'Désactivée',
  'ui.tf.off_intro':
    'Ajoutez une seconde étape à la connexion : un code d’une application de votre téléphone.',
  'ui.tf.on_intro': 'Vous saisissez un code à chaque connexion.',
  'ui.tf.setup': 'Configurer',
  'ui.tf.continue_setup': 'Poursuivre la configuration',
  'ui.tf.setup_title': 'Configurer l’authentification à deux facteurs',
  'ui.tf.step': 'Étape {{step}} sur {{steps}}',
  'ui.tf.scan': 'Scannez ceci avec une application d’authentification.',
  'ui.tf.scan_title': 'Scanner',
  'ui.tf.key_title': 'Ajouter la clé',
  'ui.tf.key': 'Copiez cette clé dans une application d’authentification.',
  'ui.tf.apps': 'Par exemple Google Authenticator, Microsoft Authenticator ou 1Password.',
  'ui.tf.other_device': 'L’application est sur un autre appareil ? Scannez ce code QR.',
  'ui.tf.enter_title': 'Saisir le code',
  'ui.tf.qr_alt': 'Code QR qui ajoute ce compte à une application d’authentification',
  'ui.tf.manual': 'Impossible de le scanner ? Saisissez cette clé dans l’application.',
  'ui.tf.copy_key': 'Copier la clé de configuration',
  'ui.tf.copied': 'Copié',
  'ui.tf.copy_failed': 'La copie a échoué. Sélectionnez le texte et copiez-le vous-même.',
  'ui.tf.confirm_label': 'Code affiché par l’application',
  'ui.tf.turn_on': 'Activer',
  'ui.tf.turning_on': 'Vérification…',
  'ui.tf.start_over': 'Recommencer',
  'ui.tf.cancel': 'Annuler',
  'ui.tf.clock_hint':
    'Toujours rien ? Vérifiez que votre téléphone règle son heure automatiquement.',
  'ui.apps.title': 'Vos applications d’authentification',
  'ui.apps.nameless': 'Application d’authentification',
  'ui.apps.added': 'Ajoutée le {{date}}.',
  'ui.apps.used': 'Dernière utilisation le {{date}}.',
  'ui.apps.remove': 'Supprimer',
  'ui.apps.remove_named': 'Supprimer : {{name}}',
  'ui.apps.add': 'Ajouter une application',
  'ui.apps.full':
    'Vous pouvez avoir cinq applications. Supprimez-en une pour en ajouter une autre.',
  'ui.apps.add_title': 'Ajouter une application',
  'ui.apps.add_intro': 'Saisissez d’abord un code, pour montrer que c’est bien vous.',
  'ui.apps.proof': 'Code d’une application que vous avez, ou code de récupération',
  'ui.apps.continue': 'Continuer',
  'ui.apps.checking': 'Vérification…',
  'ui.apps.name': 'Nom de l’application ou de l’appareil',
  'ui.apps.name_hint': 'Par exemple : Tablette',
  'ui.apps.name_required': 'Saisissez un nom',
  'ui.apps.save': 'Ajouter l’application',
  'ui.apps.is_added': '{{name}} est ajoutée. Vous pouvez vous connecter avec ses codes.',
  'ui.apps.remove_title': 'Supprimer une application',
  'ui.apps.remove_intro':
    'Les codes de {{name}} ne fonctionneront plus. Vos codes de récupération restent valables.',
  'ui.apps.is_removed': '{{name}} est supprimée.',
  'ui.tf.turn_off': 'Désactiver',
  'ui.tf.turn_off_title': 'Désactiver l’authentification à deux facteurs ?',
  'ui.tf.turn_off_body':
    'Vous vous connecterez avec votre seul mot de passe. Vos codes de secours ne fonctionneront plus.',
  'ui.tf.turn_off_yes': 'Désactiver',
  'ui.tf.turn_off_no': 'La conserver',
  'ui.tf.turned_off': 'L’authentification à deux facteurs est désactivée.',

  'ui.rc.title': 'Enregistrez vos codes de secours',
  'ui.rc.on': 'L’authentification à deux facteurs est activée.',
  'ui.rc.intro':
    'Chaque code sert une fois si vous perdez votre appareil. Ils ne seront plus affichés ensuite.',
  'ui.rc.list': 'Codes de secours',
  'ui.rc.copy': 'Copier',
  'ui.rc.download': 'Télécharger',
  'ui.rc.print': 'Imprimer',
  'ui.rc.file': 'Codes de secours de {{email}} pour {{panel}} sur {{host}}, {{date}}',
  'ui.rc.ack': 'J’ai enregistré ces codes',
  'ui.rc.ack_needed': 'Cochez d’abord la case.',
  'ui.rc.done': 'Terminé',
  'ui.rc.leave': 'Vos codes de secours ne seront plus affichés. Quitter quand même ?',
  'ui.rc.lost':
    'L’authentification à deux facteurs est activée, mais vos codes de secours n’ont pas pu être affichés. Désactivez-la et configurez-la à nouveau pour en obtenir.',
  'ui.rc.lost_required':
    'L’authentification à deux facteurs est activée, mais vos codes de secours n’ont pas pu être affichés. Demandez à un administrateur de la réinitialiser.',
  'ui.rc.unseen':
    'Vous n’avez pas confirmé que vos codes de secours sont enregistrés. Si vous ne les avez pas, désactivez l’authentification à deux facteurs et configurez-la à nouveau.',
  'ui.rc.unseen_required':
    'Vous n’avez pas confirmé que vos codes de secours sont enregistrés. Si vous ne les avez pas, demandez à un administrateur de réinitialiser l’authentification à deux facteurs.',
  'ui.rc.seen': 'J’ai enregistré mes codes',
  'ui.rc.left_zero': 'Il ne vous reste aucun code de secours.',
  'ui.rc.left_one': 'Il reste {{count}} code de secours.',
  'ui.rc.left_many': 'Il reste {{count}} codes de secours.',
  'ui.rc.left_other': 'Il reste {{count}} codes de secours.',
  'ui.rc.renew':
    'Pour en obtenir de nouveaux, désactivez l’authentification à deux facteurs et configurez-la à nouveau.',
  'ui.rc.renew_required':
    'Pour en obtenir de nouveaux, demandez à un administrateur de réinitialiser l’authentification à deux facteurs.',

  'ui.confirm.title': 'Confirmez votre identité',
  'ui.confirm.password': 'Saisissez votre mot de passe pour continuer.',
  'ui.confirm.code': 'Saisissez un code de votre application pour continuer.',
  'ui.confirm.submit': 'Confirmer',
  'ui.confirm.submitting': 'Confirmation…',
  'ui.confirm.use_code': 'Utiliser un code',
  'ui.confirm.use_password': 'Utiliser votre mot de passe',

  'ui.sessions.title': 'Sessions',
  'ui.sessions.intro': 'Les endroits où vous êtes connecté.',
  'ui.sessions.current': 'Celle-ci',
  'ui.sessions.network': 'Réseau',
  'ui.sessions.began': 'Début',
  'ui.sessions.seen': 'Dernière activité',
  'ui.sessions.unknown': 'Inconnu',
  'ui.sessions.browser_on': '{{browser}} sur {{system}}',
  'ui.sessions.none': 'Vous n’êtes connecté nulle part ailleurs.',
  'ui.sessions.end': 'Mettre fin',
  'ui.sessions.end_label': 'Mettre fin : {{browser}}, {{network}}',
  'ui.sessions.ended': 'La session a pris fin.',
  'ui.sessions.end_others': 'Mettre fin à toutes les autres',
  'ui.sessions.end_others_title': 'Mettre fin à toutes les autres sessions ?',
  'ui.sessions.end_others_body':
    'Tous les autres navigateurs sont déconnectés immédiatement. Celui-ci reste connecté.',
  'ui.sessions.end_others_no': 'Les garder',
  'ui.sessions.end_others_yes': 'Y mettre fin',
  'ui.sessions.others_ended': 'Toutes les autres sessions ont pris fin.',
  'ui.disown.title': 'Cette connexion n’était pas vous ?',
  'ui.disown.intro':
    'Vous pouvez mettre fin à toutes les sessions de votre compte, sur tous les appareils. Vous serez aussi déconnecté ici.',
  'ui.disown.submit': 'Mettre fin à toutes les sessions',
  'ui.disown.submitting': 'En cours…',
  'ui.disown.done_title': 'Toutes les sessions ont pris fin',
  'ui.disown.done':
    'La personne qui s’est connectée connaît votre mot de passe. Choisissez-en un nouveau avant de vous reconnecter.',
  'ui.disown.mail': 'Consultez vos e-mails : un lien pour un nouveau mot de passe est en route.',
  'ui.disown.over':
    'Il a expiré ou a déjà servi. Connectez-vous et ouvrez Sécurité pour mettre fin à des sessions.',
  'ui.disown.missing':
    'Ouvrez à nouveau le lien dans l’e-mail, ou connectez-vous et ouvrez Sécurité pour mettre fin à des sessions.',
}
