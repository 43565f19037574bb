"""Functions that a package which is not installed would run are run."""
import pytest

from command import report_of, write

BODY = "    assert rate != 'no'\n    tf.matmul(tf.zeros([2, 3]), tf.zeros([4, 5]))\n"
WAYS = {
    "fire": "import fire\ndef main(rate, depth=3):\n%sif __name__ == '__main__':\n    fire.Fire(main)\n",
    "typer.run": "import typer\ndef main(rate: float = typer.Option(.1)):\n%styper.run(main)\n",
    "typer's commands": "import typer\napp = typer.Typer()\n@app.command()\ndef main(rate: float):\n%s"
                        "if __name__ == '__main__':\n    app()\n",
    "click's group": "import click\n@click.group()\ndef cli():\n    pass\n@cli.command()\n"
                     "@click.option('--rate')\ndef main(rate):\n%sif __name__ == '__main__':\n    cli()\n",
    "sacred's automain": "from sacred import Experiment\nex = Experiment('a')\n@ex.config\ndef config():\n"
                         "    rate = 1\n@ex.automain\ndef main(rate, seed):\n%s",
    "sacred's main": "from sacred import Experiment\nex = Experiment('a')\n@ex.main\n"
                     "def main(rate):\n%sif __name__ == '__main__':\n    ex.run_commandline()\n",
    "optuna": "import optuna\ndef objective(trial):\n    rate = trial.suggest_float('rate', 0, 1)\n%s"
              "    return rate\nstudy = optuna.create_study()\nstudy.optimize(objective, n_trials=9)\n"
              "print(study.best_trial)\n",
    "hyperopt": "from hyperopt import fmin, hp, tpe\ndef score(rate):\n%s    return {'loss': 1}\n"
                "best = fmin(fn=score, space={'rate': hp.uniform('rate', 0, 1)}, algo=tpe.suggest)\n",
    "wandb's agent": "import wandb\ndef train(config=None):\n    with wandb.init(config=config):\n"
                     "        rate = wandb.config.rate\n%swandb.agent('id', function=train, count=5)\n",
    "ray's tune": "from ray import tune\ndef train(config):\n    rate = config['rate']\n%s"
                  "tune.run(train, config={'rate': tune.loguniform(1e-4, 1e-1)})\n",
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_a_function_that_is_run_by_what_is_not_installed(way, tmp_path):
    indent = "        " if "with wandb" in way else "    "
    write(tmp_path, train="import tensorflow as tf\n" + way % BODY.replace("    ", indent))
    report, done = report_of(tmp_path)
    codes = [finding["code"] for finding in report["findings"]]
    assert codes.count("SF114") == 1 and "SF908" not in codes, done.stdout
    assert done.returncode == 1
