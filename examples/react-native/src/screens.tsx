import { onAuthStateChanged, type User } from 'firebase/auth';
import { useEffect, useState } from 'react';
import { Button, Linking, Text, TextInput, View } from 'react-native';
import { messageOf, outcomeOf, type Offers, type Shop } from './shop.ts';

/** The sign-in form, or the plans of the user who is signed in. */
export function Screens({ shop }: { shop: Shop }) {
  const [user, setUser] = useState<User | null>();
  useEffect(() => onAuthStateChanged(shop.auth, setUser), [shop]);
  if (user === undefined) return <Text>Loading</Text>;
  return user === null ? <SignIn shop={shop} /> : <Plans shop={shop} email={user.email ?? ''} />;
}

function SignIn({ shop }: { shop: Shop }) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const { failure, run } = useRun();
  return (
    <View>
      <TextInput
        accessibilityLabel="E-mail"
        autoCapitalize="none"
        keyboardType="email-address"
        value={email}
        onChangeText={setEmail}
      />
      <TextInput accessibilityLabel="Password" secureTextEntry value={password} onChangeText={setPassword} />
      <Failure text={failure} />
      <Button title="Sign in" onPress={run(() => shop.signIn(email, password))} />
    </View>
  );
}

function Plans({ shop, email }: { shop: Shop; email: string }) {
  const outcome = useReturn();
  const [offers, setOffers] = useState<Offers>();
  const { failure, run } = useRun();
  // The plan may have changed when the payment page has led back.
  useEffect(
    run(async () => {
      setOffers(await shop.offers());
    }),
    [shop, outcome],
  );
  return (
    <View>
      <Text>{email}</Text>
      {outcome !== undefined && <Text accessibilityLiveRegion="polite">{outcome.text}</Text>}
      <Failure text={failure} />
      {offers !== undefined && <Text>Your plan: {offers.current}</Text>}
      {offers?.plans.map(({ slug, name }) => (
        <Button key={slug} title={`Buy ${name}`} onPress={run(() => shop.buy(slug))} />
      ))}
      <Button title="Sign out" onPress={run(() => shop.signOut())} />
    </View>
  );
}

function Failure({ text }: { text: string | undefined }) {
  return text === undefined ? null : <Text accessibilityRole="alert">{text}</Text>;
}

/** The last checkout that led back to the app. A new object for each return, so that the plan is read each time. */
function useReturn(): { text: string } | undefined {
  const [outcome, setOutcome] = useState<{ text: string }>();
  useEffect(() => {
    const receive = (url: string | null) => {
      const text = outcomeOf(url);
      if (text !== undefined) setOutcome({ text });
    };
    // The system may have ended the app while the payment page was open.
    void Linking.getInitialURL().then(receive);
    const subscription = Linking.addEventListener('url', ({ url }) => {
      receive(url);
    });
    return () => {
      subscription.remove();
    };
  }, []);
  return outcome;
}

/** Runs actions, and keeps the message of the one that failed last. */
function useRun() {
  const [failure, setFailure] = useState<string>();
  const run = (action: () => Promise<void>) => () => {
    setFailure(undefined);
    action().catch((error: unknown) => {
      setFailure(messageOf(error));
    });
  };
  return { failure, run };
}
